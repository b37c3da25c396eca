// The look and the script of the timelines' page.
// No test file: text that a browser runs; scripts/checks/check-timeline tests it in one.

/// The constant parts of the page.
enum TimelineScript {
  /// Colours of both schemes; each kind of event has a shape of its own besides.
  static let style = """
    :root { color-scheme: light dark; --ground: #fff; --text: #1c2024; --faint: #60646c; --line: #d9dce1; --panel: #f6f7f9;
      --allocate: #1b7f3b; --reallocate: #9a6700; --free: #1668c7; --retain: #8250df; --release: #bf3989; --wait: #c0271d;
      --wake: #9a6700; --block: #a5c8f0; --outlives: #f3c58f; --match: #b8189b; }
    @media (prefers-color-scheme: dark) {
      :root { --ground: #16181c; --text: #e6e8eb; --faint: #9ba1a9; --line: #363a40; --panel: #1f2227; --allocate: #56d364;
        --reallocate: #e3b341; --free: #6cb2ff; --retain: #c297ff; --release: #ff80c8; --wait: #ff7b72; --wake: #e3b341;
        --block: #27507d; --outlives: #7d5320; --match: #ff4fe0; }
    }
    * { box-sizing: border-box; }
    body { background: var(--ground); color: var(--text); font: 14px/1.4 system-ui, sans-serif; margin: 1em; }
    h1 { font-size: 1.2em; margin: 0 0 .5em; } p { margin: .3em 0; overflow-wrap: anywhere; }
    .bar { align-items: center; display: flex; flex-wrap: wrap; gap: .5em; margin: .5em 0; }
    .bar > * { font: inherit; }
    .faint { color: var(--faint); }
    #search { min-width: 12em; }
    #key { display: flex; flex-wrap: wrap; gap: .8em; }
    #lanes { outline-offset: 2px; overflow: hidden; touch-action: pan-y; }
    canvas { cursor: crosshair; display: block; width: 100%; }
    #detail { min-height: 9em; white-space: pre-line; }
    .wide { overflow-x: auto; }
    table { border-collapse: collapse; } th, td { padding: .1em .6em; text-align: left; white-space: nowrap; }
    th, td { border-bottom: 1px solid var(--line); } tr.at td { background: var(--panel); font-weight: 600; }
    tbody tr { cursor: pointer; } summary { cursor: pointer; }
    .number { font-variant-numeric: tabular-nums; text-align: right; }
    """

  /// Draws what is within the view: threads on top, then the bytes that live, then the blocks.
  static let script = #"""
    'use strict';
    const [TIME, THREAD, KIND, BLOCK, SIZE, STACK, WAIT, OPERATION] = [0, 1, 2, 3, 4, 5, 6, 7];
    const [BYTES, BEGIN, END, TYPE, LIVES] = [0, 1, 2, 3, 4];
    const LABEL = 110, AXIS = 22, LANE = 40, GRAPH = 46, ROW = 15, MOST_ROWS = 400, MOST_LISTED = 5000;
    const $ = id => document.getElementById(id);
    const data = JSON.parse($('data').textContent);
    const {events, blocks, waits, kinds} = data;
    const marks = {allocate: '▲', reallocate: '◆', free: '▼', retain: '+', release: '−', wait: '■', resume: '□', wake: '●'};
    const colours = {resume: 'wait'};
    let bySteps = false, from = 0, to = 1, at = -1, needle = '', hits = [];

    // Where a moment is on the scale: at its time, or at the place of the first event that is not before it.
    const end = () => bySteps ? Math.max(1, events.length) : Math.max(1, data.span);
    function step(time) {
      let low = 0, high = events.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (events[middle][TIME] < time) low = middle + 1; else high = middle;
      }
      return low;
    }
    const moment = time => bySteps ? step(time) + .5 : time;
    const place = index => bySteps ? index + .5 : events[index][TIME];
    const width = () => Math.max(50, $('canvas').clientWidth - LABEL - 8);
    const x = value => LABEL + (value - from) / (to - from) * width();
    const value = pixel => from + (pixel - LABEL) / width() * (to - from);
    const quantity = number => number.toLocaleString('en', {maximumFractionDigits: number < 100 ? 2 : 0});
    function duration(time) {
      if (time < 1e4) return `${quantity(time)} ns`;
      return time < 1e7 ? `${quantity(time / 1e3)} µs` : `${quantity(time / 1e6)} ms`;
    }
    const colour = name => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
    const kind = event => kinds[event[KIND]];
    const type = event => event[BLOCK] === null || blocks[event[BLOCK]][TYPE] === null
      ? '' : data.types[blocks[event[BLOCK]][TYPE]];
    const frames = event => data.stacks[event[STACK]].map(frame => data.frames[frame]);
    function site(event) {
      const stack = frames(event);
      return stack.findLast(frame => !frame[2] && frame[1].includes(':')) || stack.findLast(frame => !frame[2])
        || stack.at(-1);
    }

    function describe(index) {
      const event = events[index], lines = [];
      const of = event[BLOCK] === null ? '' : `, block ${event[BLOCK] + 1}`;
      const size = event[SIZE] && event[BLOCK] !== null && !['retain', 'release'].includes(kind(event))
        ? `, ${quantity(event[SIZE])} bytes` : '';
      lines.push(`${index + 1}. ${data.words[index]}${of}${size}${type(event) ? `, ${type(event)}` : ''} at ` +
        `${duration(event[TIME])}, thread ${data.threads[event[THREAD]]}, operation ${event[OPERATION] + data.first - 1}`);
      for (const [name, file] of frames(event).reverse()) lines.push(`  ${name} (${file})`);
      return lines.join('\n');
    }

    // Blocks in rows in which no two lie over each other, of those that are seen.
    let shown = [];
    function pack() {
      const ends = [];
      shown = [];
      let hidden = 0;
      blocks.forEach((block, index) => {
        if (!block[LIVES]) return;
        const left = block[BEGIN] === null ? 0 : moment(block[BEGIN]);
        const right = block[END] === null ? end() : moment(block[END]);
        if (right < from || left > to) return;
        let row = ends.findIndex(other => other < left);
        if (row < 0) row = ends.length;
        if (row >= MOST_ROWS) { hidden++; return; }
        ends[row] = right;
        shown.push([index, left, right, row]);
      });
      $('about').textContent = hidden ? `${hidden} blocks more live here than fit: zoom in` : '';
      return ends.length;
    }

    function axis(pen, height) {
      const rough = (to - from) / Math.max(2, width() / 110);
      const power = 10 ** Math.floor(Math.log10(rough));
      let tick = [1, 2, 5, 10].map(factor => factor * power).find(one => one >= rough);
      if (bySteps) tick = Math.max(1, Math.round(tick));
      for (let one = Math.ceil(from / tick) * tick; one <= to; one += tick) {
        pen.fillStyle = colour('line');
        pen.fillRect(x(one), AXIS - 6, 1, height);
        pen.fillStyle = colour('faint');
        pen.fillText(bySteps ? `${one}` : duration(one), x(one) + 3, AXIS - 8);
      }
    }

    const most = data.bytes.reduce((most, one) => Math.max(most, one[1]), 1);
    const laneTop = thread => AXIS + thread * LANE;
    const graphTop = () => laneTop(data.threads.length) + 4;
    const blockTop = () => graphTop() + GRAPH + 8;

    function drawThread(pen, thread) {
      const top = laneTop(thread);
      pen.fillStyle = colour('line');
      pen.fillRect(0, top + LANE - 1, LABEL + width(), 1);
      if (thread === 0) {
        pen.fillStyle = colour('panel');
        for (const [left, right] of data.operations) {
          pen.fillRect(x(moment(left)), top, Math.max(1, x(moment(right)) - x(moment(left))), LANE - 2);
        }
      }
      for (const wait of waits) {
        if (wait[0] !== thread) continue;
        const left = x(wait[1] === null ? 0 : moment(wait[1])), right = x(wait[2] === null ? end() : moment(wait[2]));
        pen.fillStyle = colour('wait');
        pen.globalAlpha = .35;
        pen.fillRect(left, top + 24, Math.max(1, right - left), 12);
        pen.globalAlpha = 1;
        pen.fillStyle = colour('text');
        if (right - left > 30) pen.fillText(wait[3], Math.max(left, LABEL) + 2, top + 34, right - left - 4);
      }
    }

    function drawBytes(pen) {
      const top = graphTop();
      const y = bytes => top + GRAPH - Math.max(0, bytes) / most * (GRAPH - 4);
      pen.beginPath();
      pen.moveTo(x(0), y(0));
      let last = 0;
      for (const [time, bytes] of data.bytes) {
        pen.lineTo(x(moment(time)), y(last));
        pen.lineTo(x(moment(time)), y(bytes));
        last = bytes;
      }
      pen.lineTo(x(end()), y(last));
      pen.strokeStyle = colour('allocate');
      pen.stroke();
    }

    function drawBlocks(pen) {
      const top = blockTop();
      for (const [index, left, right, row] of shown) {
        const block = blocks[index], isAt = at >= 0 && events[at][BLOCK] === index;
        const start = x(left), length = Math.max(2, x(right) - start);
        pen.fillStyle = colour(block[END] === null || block[BEGIN] === null ? 'outlives' : 'block');
        pen.fillRect(start, top + row * ROW, length, ROW - 2);
        if (isAt) { pen.strokeStyle = colour('text'); pen.strokeRect(start + .5, top + row * ROW + .5, length - 1, ROW - 3); }
        if (length < 24) continue;
        const words = [index + 1, block[BYTES] === null ? '' : `${quantity(block[BYTES])} B`,
          block[TYPE] === null ? '' : data.types[block[TYPE]]].join(' ');
        pen.fillStyle = colour('text');
        pen.save();
        pen.beginPath();
        pen.rect(Math.max(start, LABEL), top + row * ROW, x(right) - Math.max(start, LABEL), ROW);
        pen.clip();
        pen.fillText(words, Math.max(start, LABEL) + 3, top + row * ROW + 10);
        pen.restore();
      }
    }

    function drawEvents(pen) {
      pen.textAlign = 'center';
      events.forEach((event, index) => {
        const left = x(place(index));
        if (left < LABEL - 4 || left > LABEL + width() + 4) return;
        const top = laneTop(event[THREAD]), name = kind(event);
        pen.fillStyle = colour(hits[index] ? 'match' : colours[name] || name);
        pen.fillText(marks[name], left, top + 16);
        if (index === at) {
          pen.fillStyle = colour('text');
          pen.fillRect(left - .5, AXIS - 6, 1, $('canvas').clientHeight);
        }
      });
      pen.textAlign = 'left';
    }

    // What is left of the view lies below the labels.
    function drawLabels(pen, height, rows) {
      pen.fillStyle = colour('ground');
      pen.fillRect(0, 0, LABEL - 4, height);
      pen.fillStyle = colour('text');
      data.threads.forEach((name, thread) => pen.fillText(name.slice(0, 18), 2, laneTop(thread) + 16, LABEL - 10));
      pen.fillText('live bytes', 2, graphTop() + 16);
      if (rows) pen.fillText('blocks', 2, blockTop() + 10);
      pen.fillStyle = colour('faint');
      pen.fillText(`up to ${quantity(most)}`, 2, graphTop() + 32, LABEL - 10);
    }

    function draw() {
      const canvas = $('canvas'), rows = pack();
      const height = blockTop() + rows * ROW + 6, ratio = devicePixelRatio || 1;
      canvas.style.height = `${height}px`;
      canvas.width = canvas.clientWidth * ratio;
      canvas.height = height * ratio;
      const pen = canvas.getContext('2d');
      pen.scale(ratio, ratio);
      pen.font = '11px system-ui, sans-serif';
      axis(pen, height);
      drawBytes(pen);
      for (let thread = 0; thread < data.threads.length; thread++) drawThread(pen, thread);
      drawBlocks(pen);
      drawEvents(pen);
      drawLabels(pen, height, rows);
      $('detail').textContent = at < 0 ? '' : describe(at);
      for (const row of document.querySelectorAll('tr.at')) row.classList.remove('at');
      if (at >= 0 && $('rows').rows[at]) $('rows').rows[at].classList.add('at');
    }

    function show(left, right) {
      const least = bySteps ? 4 : Math.max(20, end() / 1e6);
      const length = Math.min(end(), Math.max(least, right - left));
      from = Math.max(0, Math.min(left, end() - length));
      to = from + length;
      draw();
    }
    function zoom(factor, around) {
      const middle = around === undefined ? at >= 0 ? place(at) : (from + to) / 2 : around;
      show(middle - (middle - from) * factor, middle + (to - middle) * factor);
    }
    function reset() {
      at = -1; needle = ''; hits = []; $('search').value = ''; $('matched').textContent = '';
      show(0, end());
    }
    function scale() {
      bySteps = !bySteps;
      $('scale').textContent = bySteps ? 'Scale: events' : 'Scale: time';
      show(0, end());
    }
    function choose(index) {
      if (index < 0 || index >= events.length) return;
      at = index;
      const where = place(at), length = to - from;
      if (where < from || where > to) show(where - length / 2, where + length / 2); else draw();
    }
    // To the next event of the same block, or of the same wait.
    function along(way) {
      if (at < 0) return choose(0);
      const event = events[at], field = event[BLOCK] !== null ? BLOCK : WAIT;
      if (event[field] === null) return;
      for (let index = at + way; index >= 0 && index < events.length; index += way) {
        if (events[index][field] === event[field]) return choose(index);
      }
    }
    function search(text) {
      needle = text.trim().toLowerCase();
      const found = event => frames(event).some(frame => `${frame[0]} ${frame[1]}`.toLowerCase().includes(needle)) ||
        type(event).toLowerCase().includes(needle);
      hits = needle ? events.map(found) : [];
      $('matched').textContent = needle ? `${hits.filter(Boolean).length} of ${events.length} events` : '';
      draw();
    }
    // The event that is nearest to a point, or one that a block or a wait below it begins with.
    function find(left, top) {
      if (top >= blockTop()) {
        const hit = shown.find(one => x(one[1]) <= left && left <= Math.max(x(one[1]) + 2, x(one[2])) &&
          Math.floor((top - blockTop()) / ROW) === one[3]);
        return hit ? events.findIndex(event => event[BLOCK] === hit[0]) : -1;
      }
      let best = -1, least = 9;
      events.forEach((event, index) => {
        if (top < laneTop(event[THREAD]) || top >= laneTop(event[THREAD]) + LANE) return;
        const distance = Math.abs(x(place(index)) - left);
        if (distance < least) { least = distance; best = index; }
      });
      return best;
    }

    function fill() {
      for (const [index, event] of events.slice(0, MOST_LISTED).entries()) {
        const row = $('rows').insertRow(), where = site(event);
        const add = (text, isNumber) => {
          const cell = row.insertCell();
          cell.textContent = text;
          if (isNumber) cell.className = 'number';
        };
        add(index + 1, true);
        add(duration(event[TIME]), true);
        add(event[THREAD] + 1, true);
        add(`${marks[kind(event)]} ${data.words[index]}`);
        add(event[BLOCK] === null ? '' : event[BLOCK] + 1, true);
        add(event[SIZE] && event[BLOCK] !== null && !['retain', 'release'].includes(kind(event)) ? event[SIZE] : '', true);
        add(type(event));
        add(where ? `${where[1]} ${where[0]}` : '');
        row.onclick = () => choose(index);
      }
      if (events.length > MOST_LISTED) {
        $('all').append(`and ${events.length - MOST_LISTED} more events: gauge timeline --format events lists all`);
      }
    }

    document.addEventListener('keydown', event => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'Escape') { reset(); $('lanes').focus(); return; }
      if (event.target === $('search')) { if (event.key === 'Enter') $('lanes').focus(); return; }
      const length = (to - from) / 4;
      const action = {
        ArrowRight: () => event.shiftKey ? show(from + length, to + length) : choose(at + 1),
        ArrowLeft: () => event.shiftKey ? show(from - length, to - length) : choose(at < 0 ? events.length - 1 : at - 1),
        ArrowDown: () => along(1), ArrowUp: () => along(-1), Home: () => choose(0), End: () => choose(events.length - 1),
        '+': () => zoom(.5), '=': () => zoom(.5), '-': () => zoom(2), t: scale, '/': () => $('search').focus(),
      }[event.key];
      if (action) { action(); event.preventDefault(); }
    });
    let drag = null;
    $('canvas').addEventListener('pointerdown', event => {
      drag = {x: event.offsetX, from, to, moved: false};
      try { $('canvas').setPointerCapture(event.pointerId); } catch { /* not a pointer of a device */ }
      $('lanes').focus({preventScroll: true});
    });
    $('canvas').addEventListener('pointermove', event => {
      if (!drag) {
        const index = find(event.offsetX, event.offsetY);
        if (at < 0) $('detail').textContent = index < 0 ? '' : describe(index);
        return;
      }
      if (Math.abs(event.offsetX - drag.x) > 3) drag.moved = true;
      const moved = (drag.x - event.offsetX) / width() * (drag.to - drag.from);
      if (drag.moved) show(drag.from + moved, drag.to + moved);
    });
    $('canvas').addEventListener('pointerup', event => {
      const wasClick = drag && !drag.moved;
      drag = null;
      if (!wasClick) return;
      at = find(event.offsetX, event.offsetY);
      draw();
    });
    $('canvas').addEventListener('wheel', event => {
      if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        const moved = (event.deltaX || event.deltaY) / width() * (to - from);
        show(from + moved, to + moved);
      } else if (event.offsetX >= LABEL && (event.deltaY < 0 || to - from < end())) zoom(Math.exp(event.deltaY / 400), value(event.offsetX));
      else return;
      event.preventDefault();
    }, {passive: false});
    $('search').addEventListener('input', event => search(event.target.value));
    $('reset').onclick = reset;
    $('closer').onclick = () => zoom(.5);
    $('farther').onclick = () => zoom(2);
    $('scale').onclick = scale;
    for (const name of new Set(events.map(kind))) {
      const item = document.createElement('span'), mark = document.createElement('span');
      mark.textContent = marks[name];
      mark.style.color = `var(--${colours[name] || name})`;
      item.append(mark, ` ${name}`);
      $('key').append(item);
    }
    addEventListener('resize', draw);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
    fill();
    reset();
    """#
}
