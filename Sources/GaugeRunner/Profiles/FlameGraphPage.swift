// The look and the script of the flame graphs' page.
// No test file: text that a browser runs; scripts/checks/check-flame-graph tests it in one.

/// The constant parts of the page.
enum FlameGraphPage {
  /// Colours of both schemes: the program's functions warm, the library's cold; red for more and blue for less.
  static let style = """
    :root { color-scheme: light dark; --ground: #fff; --text: #1c2024; --faint: #60646c; --line: #d9dce1; --light: 72%;
      --same: #d9dce1; --ink: #16181c; --match: #b8189b; --focus: #1668c7; }
    @media (prefers-color-scheme: dark) {
      :root { --ground: #16181c; --text: #e6e8eb; --faint: #9ba1a9; --line: #363a40; --light: 62%; --same: #9ba1a9;
        --match: #ff4fe0; --focus: #6cb2ff; }
    }
    * { box-sizing: border-box; }
    body { background: var(--ground); color: var(--text); font: 14px/1.4 system-ui, sans-serif; margin: 1em; }
    h1 { font-size: 1.2em; margin: 0 0 .5em; }
    .bar { align-items: center; display: flex; flex-wrap: wrap; gap: .5em; }
    .bar > * { font: inherit; }
    .faint { color: var(--faint); margin: .5em 0; }
    pre { font-size: 12px; overflow-x: auto; }
    #search { min-width: 14em; }
    #graph { outline: none; overflow: hidden; position: relative; }
    #graph div { border: 1px solid var(--ground); border-radius: 2px; color: var(--ink); cursor: pointer; font-size: 12px;
      height: 19px; line-height: 17px; overflow: hidden; padding: 0 3px; position: absolute; white-space: nowrap; }
    #graph div.above { opacity: .55; }
    #graph div.inlined { border-top-style: dotted; border-top-color: var(--ink); }
    #graph div.match { background: var(--match) !important; color: #fff; }
    #graph div.at { outline: 2px solid var(--focus); outline-offset: -2px; z-index: 1; }
    #detail { min-height: 3em; white-space: pre-line; }
    """

  /// Draws the frames that are wide enough to be seen, root on top.
  static let script = #"""
    'use strict';
    const [NAME, WEIGHT, BASE, CHILDREN] = [0, 1, 2, 3];
    const ROW = 20, LEAST = 0.6;
    const $ = id => document.getElementById(id);
    const graphs = JSON.parse($('data').textContent);
    const number = value => {
      const size = Math.abs(value);
      return value.toLocaleString('en', {maximumFractionDigits: size >= 100 ? 0 : size >= 1 ? 1 : 3});
    };
    let graph, top_, before = false, at = null, needle = '', boxes = [];

    // A node with its parent and depth: [function, weight, base, ...children] as an object.
    function unfold(raw, parent, depth) {
      const node = {parent, depth, frame: graph.frames[raw[NAME]], weight: raw[WEIGHT], base: raw[BASE]};
      node.children = raw.slice(CHILDREN).map(child => unfold(child, node, depth + 1));
      return node;
    }
    const name = node => node.frame ? node.frame[0] : 'all';
    const perOperation = node => node.weight / graph.operations;
    const baseline = node => graph.baseOperations ? node.base / graph.baseOperations : 0;
    const size = node => before ? baseline(node) : perOperation(node);
    const per = () => graph.per || 'operation';
    const isDifference = () => graph.baseOperations !== null;

    function colour(node) {
      if (isDifference()) {
        const whole = Math.max(perOperation(graph.tree), baseline(graph.tree)) || 1;
        const change = (perOperation(node) - baseline(node)) / whole;
        const strength = Math.round(100 * Math.min(1, Math.sqrt(Math.abs(change) * 2)));
        if (strength < 5) return 'var(--same)';
        return `color-mix(in srgb, ${change > 0 ? '#f0402f' : '#3f87f5'} ${strength}%, var(--same))`;
      }
      let hash = 0;
      for (const letter of name(node)) hash = (hash * 31 + letter.codePointAt(0)) % 997;
      const isLibrary = node.frame && (node.frame[2] & 2);
      return `hsl(${isLibrary ? 170 + hash % 50 : 15 + hash % 40} ${isLibrary ? 35 : 80}% var(--light))`;
    }

    function matches(node) { return needle !== '' && name(node).toLowerCase().includes(needle); }

    // The weight of what matches, each stack once.
    function matched(node) {
      if (matches(node)) return size(node);
      return node.children.reduce((sum, child) => sum + matched(child), 0);
    }

    function describe(node) {
      const lines = [name(node)];
      if (node.frame) lines[0] += ` (${node.frame[1]}${node.frame[2] & 1 ? ', inlined' : ''})`;
      const whole = size(graph.tree) || 1;
      let line = `${number(perOperation(node))} ${graph.unit} by ${per()}, ${(100 * size(node) / whole).toFixed(1)} %`;
      const own = node.weight - node.children.reduce((sum, child) => sum + child.weight, 0);
      if (own > 0) line += `, ${number(own / graph.operations)} of its own`;
      if (isDifference()) {
        const change = perOperation(node) - baseline(node);
        line += `; before ${number(baseline(node))}: ${change > 0 ? '+' : ''}${number(change)}`;
      }
      return lines.concat(line).join('\n');
    }

    function draw() {
      const area = $('graph'), width = area.clientWidth || 800;
      area.textContent = '';
      boxes = [];
      let depth = 0;
      const add = (node, left, share, isAbove) => {
        const box = document.createElement('div');
        box.style.left = left + 'px';
        box.style.width = share + 'px';
        box.style.top = node.depth * ROW + 'px';
        box.style.background = colour(node);
        box.className = [isAbove ? 'above' : '', matches(node) ? 'match' : '',
          node.frame && node.frame[2] & 1 ? 'inlined' : '', node === at ? 'at' : ''].join(' ').trim();
        box.title = describe(node);
        if (share > 20) box.textContent = name(node);
        box.onclick = () => { at = node; zoom(node); };
        box.onmouseenter = () => { $('detail').textContent = describe(node); };
        area.append(box);
        boxes.push(node);
        depth = Math.max(depth, node.depth);
      };
      for (let node = top_.parent; node; node = node.parent) add(node, 0, width, true);
      const visit = (node, left, share) => {
        if (share < LEAST) return;
        add(node, left, share, false);
        const whole = size(node);
        if (!whole) return;
        for (const child of node.children) {
          const part = share * size(child) / whole;
          visit(child, left, part);
          left += part;
        }
      };
      visit(top_, 0, width);
      area.style.height = (depth + 1) * ROW + 'px';
      if (at) $('detail').textContent = describe(at);
      const whole = size(graph.tree) || 1;
      $('matched').textContent = needle ? `${(100 * matched(graph.tree) / whole).toFixed(1)} % matched` : '';
    }

    function zoom(node) { top_ = node; draw(); }
    function reset() { at = null; needle = ''; $('search').value = ''; $('detail').textContent = ''; zoom(graph.tree); }
    function widths() {
      if (!isDifference()) return;
      before = !before;
      $('side').textContent = before ? 'Widths: before' : 'Widths: after';
      draw();
    }

    function choose(index) {
      graph = graphs[index];
      graph.tree = graph.tree || unfold(graph.root, null, 0);
      before = false;
      $('side').hidden = !isDifference();
      $('side').textContent = 'Widths: after';
      let about = `${number(perOperation(graph.tree))} ${graph.unit} by ${per()}, ${number(graph.operations)} ${per()}s`;
      if (isDifference()) about += `; before ${number(baseline(graph.tree))}. Red is more, blue is less than before`;
      $('about').textContent = [about, ...graph.notes].join('. ');
      reset();
    }

    // Down to the widest callee, up to the caller, left and right among what one function calls.
    function move(key) {
      const from = at || top_;
      const siblings = from.parent ? from.parent.children.filter(node => size(node) > 0) : [from];
      const place = siblings.indexOf(from);
      const next = {
        ArrowDown: () => from.children.reduce((best, node) => !best || size(node) > size(best) ? node : best, null),
        ArrowUp: () => from.parent, ArrowLeft: () => siblings[place - 1], ArrowRight: () => siblings[place + 1],
      }[key]();
      at = next || from;
      if (!boxes.includes(at)) top_ = at;
      draw();
    }

    document.addEventListener('keydown', event => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'Escape') { reset(); $('graph').focus(); return; }
      if (event.target === $('search')) { if (event.key === 'Enter') $('graph').focus(); return; }
      if (event.target === $('which')) return;
      if (event.key === '/') { $('search').focus(); event.preventDefault(); }
      else if (event.key.startsWith('Arrow')) { move(event.key); event.preventDefault(); }
      else if (event.key === 'Enter' && event.target.tagName !== 'BUTTON') zoom(at || top_);
      else if (event.key === 'b') widths();
    });
    $('search').addEventListener('input', event => { needle = event.target.value.trim().toLowerCase(); draw(); });
    $('reset').onclick = reset;
    $('side').onclick = widths;
    $('which').onchange = event => choose(event.target.selectedIndex);
    for (const one of graphs) $('which').add(new Option(one.title));
    if (graphs.length < 2) $('which').hidden = true;
    addEventListener('resize', draw);
    choose(0);
    """#
}
