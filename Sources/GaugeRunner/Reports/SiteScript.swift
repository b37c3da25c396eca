// The script and the look of a site over a history, besides those of every report's page.
// No test file: text that a browser runs; scripts/checks/check-site tests it in one.

/// The constant parts of a site.
enum SiteScript {
  /// What the pages of a site have in their style sheets besides.
  static let style = #"""

    a { color: var(--new); } h1, figcaption { overflow-wrap: anywhere; }
    .bar { display: flex; flex-wrap: wrap; gap: .5em 1.5em; } .bar label, select { max-width: 100%; min-width: 0; }
    select { font: inherit; } pre { white-space: pre-wrap; overflow-wrap: anywhere; }
    figure.course { flex: 1 1 100%; margin: 0 0 1.5em; max-width: none; min-width: 0; }
    figure.course svg { display: block; } .plot:focus { outline: 2px solid var(--new); outline-offset: 2px; }
    .detail { color: var(--faint); margin: .2em 0; min-height: 1.5em; overflow-wrap: anywhere; }
    .cursor { stroke: var(--text); } .course.base { stroke: var(--base); } polyline.course { stroke-width: 1.5; }
    @media (max-width: 40em) {
      body { margin: 1em auto; padding: 0 .7em; }
      .search input { box-sizing: border-box; min-width: 0; width: 100%; }
      td code { overflow-wrap: anywhere; white-space: normal; } th, td { padding: .3em .4em; }
      th:first-child, tr:not(.note) > td:first-child { max-width: 11em; min-width: 7em; }
    }
    """#

  /// The file of a site's script.
  static let file = ReportScript.text + "\n" + text + "\n"

  /// Draws the courses of the page's benchmark from the data that `gaugeRuns` and `gaugeBenchmark` are, and compares
  /// two runs. Numbers read as `quantity`, `percentChange` and `changeText` write them.
  static let text = #"""
    {
      const $ = id => document.getElementById(id);
      document.addEventListener('keydown', event => {
        if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
        if (['INPUT', 'SELECT', 'TEXTAREA'].includes(event.target.tagName) || field.hidden) return;
        input.focus();
        event.preventDefault();
      });

      // A number with so many decimals, halves to the even neighbour.
      const fixed = (value, decimals) => {
        const text = value.toFixed(decimals);
        const digits_ = Math.abs(value) < 1e21 ? Math.abs(value).toFixed(60) : '.';
        const [whole, rest] = digits_.split('.');
        if (!/^50*$/.test(rest.slice(decimals)) || !/[13579]$/.test(text)) return text;
        const cut = decimals > 0 ? `${whole}.${rest.slice(0, decimals)}` : whole;
        return value < 0 ? `-${cut}` : cut;
      };
      // As %g in C.
      const general = (value, precision) => {
        if (value === 0) return '0';
        const bare = text => text.includes('.') ? text.replace(/\.?0+$/, '') : text;
        const [mantissa, exponent] = value.toExponential(precision - 1).split('e');
        const power = Number(exponent);
        if (power >= -4 && power < precision) return bare(fixed(value, precision - 1 - power));
        return `${bare(mantissa)}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
      };
      const digits = value => {
        const size = Math.abs(value);
        if (size === 0) return '0';
        if (size < 1e-4 || size >= 1e9) return general(value, 3);
        return fixed(value, size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3);
      };
      const withoutRest = (value, metric) => metric.hasRests && Math.abs(value) < 1e-9 ? 0 : value;
      const quantity = (value_, metric, isExact) => {
        const value = withoutRest(value_, metric), units = isExact ? metric.exactUnits : metric.units;
        if (units.length === 1) {
          const number = isExact ? general(value, 10) : digits(value);
          return units[0][0] === '' ? number : `${number} ${units[0][0]}`;
        }
        let unit = units[0];
        for (const other of units) if (Math.abs(value) >= other[1] * 0.9995) unit = other;
        if (value !== 0 && Math.abs(value) < 0.0005) return `0.000 ${unit[0]}`;
        return `${digits(value / unit[1])} ${unit[0]}`;
      };
      const signed = (text, value) => value > 0 ? `+${text}` : text;
      const percentChange = ratio => {
        const percent = (ratio - 1) * 100;
        if (Math.abs(percent) < 1e-8) return '0 %';
        return `${signed(Math.abs(percent) < 0.05 ? general(percent, 1) : fixed(percent, 1), percent)} %`;
      };
      const change = (before, after, metric, isExact) => {
        if (before > 0 && after > 0) {
          return after / before >= 10 ? `×${digits(after / before)}` : percentChange(after / before);
        }
        const difference = withoutRest(after - before, metric);
        return signed(quantity(difference, metric, isExact), difference);
      };

      const element = (name, attributes = {}, ...children) => {
        const made = document.createElement(name);
        for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
        made.append(...children);
        return made;
      };
      const mark = (name, attributes, ...children) => {
        const made = document.createElementNS('http://www.w3.org/2000/svg', name);
        for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
        made.append(...children);
        return made;
      };
      // A table as every report has them: a body for each row, so that it can be sorted and searched.
      const table = (titles, rows) => {
        const heads = titles.map(([title, isNumber]) =>
          element('th', isNumber ? {scope: 'col', class: 'number'} : {scope: 'col'}, title));
        const made = element('table', {class: 'rows'}, element('thead', {}, element('tr', {}, ...heads)));
        for (const {cells, values = [], style = ''} of rows) {
          made.append(element('tbody', {class: style}, element('tr', {}, ...cells.map((cell, index) => {
            const made_ = element('td', titles[index][1] ? {class: 'number'} : {}, cell);
            if (Number.isFinite(values[index])) made_.dataset.value = values[index];
            return made_;
          }))));
        }
        makeSortable(made);
        return element('div', {class: 'wide'}, made);
      };

      // Round values: steps of 1, 2 or 5.
      const ticks = (low, high) => {
        const raw = (high - low) / 4, power = 10 ** Math.floor(Math.log10(raw));
        if (!(raw >= 1e-300) || !Number.isFinite(raw)) return [low];
        const step = [1, 2, 5, 10].map(factor => factor * power).find(value => value >= raw) ?? raw;
        const first = Math.ceil(low / step);
        return Array.from({length: 8}, (_, index) => (first + index) * step).filter(value => value <= high);
      };
      // Two axes with what is drawn between them; `x` and `y` place a value.
      const plot = (width_, title, {xs, ys, labelX, labelY, ticksX}, draw) => {
        const width = Math.max(260, width_ || 700), height = 230;
        const [left, right, top, bottom] = [66, 12, 8, 34];
        const place = (low, high, start, end) => value => start + (end - start) * (value - low) / (high - low);
        const spread = (values, isPadded) => {
          let low = Infinity, high = -Infinity;
          for (const value of values) { low = Math.min(low, value); high = Math.max(high, value); }
          if (low === high) {
            const half = Math.max(Math.abs(low) * 0.05, 0.5);
            [low, high] = [low - half, high + half];
          }
          const room = isPadded ? (high - low) * 0.06 : 0;
          return [low >= 0 ? Math.max(0, low - room) : low - room, high + room];
        };
        const rangeX = spread(xs, false), rangeY = spread(ys, true);
        const x = place(...rangeX, left, width - right), y = place(...rangeY, height - bottom, top);
        const round = value => value.toFixed(1);
        const svg = mark('svg', {role: 'img', viewBox: `0 0 ${width} ${height}`, 'aria-label': title});
        for (const tick of ticks(...rangeY)) {
          svg.append(
            mark('line', {class: 'grid', x1: left, x2: width - right, y1: round(y(tick)), y2: round(y(tick))}),
            mark('text', {class: 'tick end', x: left - 4, y: round(y(tick)), dy: 3}, labelY(tick)));
        }
        for (const tick of ticksX(Math.max(2, Math.floor((width - left) / 95)), ...rangeX)) {
          svg.append(mark('text', {class: 'tick middle', x: round(x(tick)), y: height - bottom + 14}, labelX(tick)));
        }
        svg.append(mark('text', {class: 'tick middle', x: (left + width - right) / 2, y: height - 4}, title));
        draw({
          x, y, svg,
          line: (points, style) => svg.append(
            mark('polyline', {class: style, points: points.map(point => point.map(round).join()).join(' ')})),
          rule: (value, style, text = '') => svg.append(mark(
            'line', {class: style, x1: round(value), x2: round(value), y1: top, y2: height - bottom},
            mark('title', {}, text))),
          bar: (at, low, high, style) => svg.append(
            mark('line', {class: style, x1: round(at), x2: round(at), y1: round(low), y2: round(high)})),
          dot: (at, level, radius, style) => svg.append(
            mark('circle', {class: style, cx: round(at), cy: round(level), r: radius})),
        });
        return {svg, left, right, width};
      };

      if (typeof gaugeBenchmark !== 'undefined') {
        const [NAME, HASH, DATE, SUBJECT, MACHINE, ALLOCATOR] = [1, 2, 3, 4, 5, 6];
        const {commits, runs} = gaugeRuns, {title, metrics} = gaugeBenchmark;
        const link = run => run[HASH] !== '' && commits
          ? element('a', {href: commits + run[HASH]}, run[NAME]) : document.createTextNode(run[NAME]);
        const words = run => [run[NAME], run[SUBJECT], run[DATE].slice(0, 10)].filter(word => word !== '').join('  ');
        const ends = (course, place) => [
          course.lows ? course.lows[place] : course.medians[place],
          course.highs ? course.highs[place] : course.medians[place]];
        const isExact = (course, place) => course.exact[place] === 1;
        const value = (metric, course, place) =>
          quantity(course.medians[place], metric, isExact(course, place));
        const where = course => [course.machine, course.toolchain].filter(word => word !== '').join(', ');
        // The course and the place in it that a run is.
        const find = (metric, run) => {
          for (const course of metric.courses) {
            const place = course.runs.indexOf(run);
            if (place >= 0) return {course, place};
          }
          return null;
        };
        let redraws = [];

        const courseTable = (metric, course) => table(
          [['commit'], ['date'], ['subject'], ['median', true], ['low', true], ['high', true], ['launches', true]],
          course.runs.map((run, place) => {
            const [low, high] = ends(course, place), exact = isExact(course, place);
            return {
              cells: [
                link(runs[run]), runs[run][DATE].slice(0, 10), runs[run][SUBJECT], value(metric, course, place),
                quantity(low, metric, exact), quantity(high, metric, exact), `${course.launches[place]}`],
              values: [NaN, NaN, NaN, course.medians[place], low, high, course.launches[place]],
            };
          }).reverse());

        const courseFigure = (metric, course) => {
          const last = course.runs.length - 1;
          let at = null, shown = null;
          const area = element('div', {
            class: 'plot', tabindex: '0', role: 'group',
            'aria-label': `Course of ${metric.name}: the arrow keys go from run to run; Enter takes one as the ` +
              'later of two commits to compare, with Shift as the earlier',
          });
          const detail = element('p', {class: 'detail', 'aria-live': 'polite'});
          const label = course.runs.length === 1 ? '1 run' : `${course.runs.length} runs`;
          const draw = () => {
            const bounds = course.medians.flatMap((_, place) => ends(course, place));
            shown = plot(area.clientWidth, `${metric.name} over ${label}`, {
              xs: [-0.5, last + 0.5], ys: bounds,
              labelX: place => runs[course.runs[place]][NAME].slice(0, 8),
              labelY: level => quantity(level, metric, isExact(course, last)),
              ticksX: most => {
                const step = Math.ceil((last + 1) / most);
                return course.runs.map((_, place) => place).filter(place => place % step === 0);
              },
            }, ({x, y, line, rule, bar, dot}) => {
              course.runs.forEach((_, place) => {
                const [low, high] = ends(course, place);
                if (low < high) bar(x(place), y(low), y(high), 'interval new');
              });
              line(course.medians.map((median, place) => [x(place), y(median)]), 'course new');
              course.medians.forEach((median, place) => dot(x(place), y(median), last > 120 ? 1.5 : 2.5, 'new'));
              for (const [place, before, after, verdict] of course.changes) {
                const exact = isExact(course, place);
                rule(x(place - 0.5), `change ${verdict}`,
                  `${quantity(before, metric, exact)} to ${quantity(after, metric, exact)}`);
              }
              if (at !== null) rule(x(at), 'cursor');
            });
            area.replaceChildren(shown.svg);
          };
          const choose = (place, which) => {
            at = Math.max(0, Math.min(last, place));
            const [low, high] = ends(course, at), exact = isExact(course, at), run = runs[course.runs[at]];
            const interval = low < high
              ? ` [${quantity(low, metric, exact)}, ${quantity(high, metric, exact)}]` : '';
            detail.replaceChildren(
              link(run), ` ${words(run).slice(run[NAME].length)}: ${value(metric, course, at)}${interval}`);
            if (which) {
              $(which).value = course.runs[at];
              compare();
            }
            draw();
          };
          area.addEventListener('keydown', event => {
            if (event.ctrlKey || event.metaKey || event.altKey) return;
            const from = at ?? last + 1;
            const next = {ArrowLeft: from - 1, ArrowRight: at === null ? 0 : from + 1, Home: 0, End: last}[event.key];
            if (next !== undefined) choose(next);
            else if (event.key === 'Enter' && at !== null) choose(at, event.shiftKey ? 'before' : 'after');
            else return;
            event.preventDefault();
          });
          area.addEventListener('click', event => {
            const box = shown.svg.getBoundingClientRect(), inner = shown.width - shown.left - shown.right;
            const along = ((event.clientX - box.left) * shown.width / box.width - shown.left) / inner;
            choose(Math.round(along * (last + 1) - 0.5), event.shiftKey ? 'before' : 'after');
          });
          const figure = element('figure', {class: 'course'}, area, element('figcaption', {}, where(course)), detail,
            element('details', {}, element('summary', {}, `${label} as a table`), courseTable(metric, course)));
          redraws.push(draw);
          return figure;
        };

        // What two runs say of a metric: a count by its value, a time only of one machine.
        const difference = (metric, before, after) => {
          const [old, now] = [find(metric, before), find(metric, after)];
          const cells = [old, now].map(found => found ? value(metric, found.course, found.place) : '–');
          if (!old || !now) return {cells: [...cells, '', 'not measured at both'], values: []};
          const [from, to] = [old.course.medians[old.place], now.course.medians[now.place]];
          const wasExact = isExact(old.course, old.place), exact = isExact(now.course, now.place);
          const isSame = Math.abs(to - from) <= 1e-9 * Math.max(Math.abs(from), Math.abs(to));
          const [first, second] = [runs[before], runs[after]];
          const refused = metric.isTime && !wasExact && first[MACHINE] !== second[MACHINE] ? 'another machine'
            : metric.isOfHeap && first[ALLOCATOR] !== '' && second[ALLOCATOR] !== ''
              && first[ALLOCATOR] !== second[ALLOCATOR] && !(wasExact && exact && isSame) ? 'another allocator' : '';
          const values = [NaN, from, to, refused ? NaN : from > 0 && to > 0 ? to / from - 1 : to - from];
          if (refused) return {cells: [...cells, '', `not compared: ${refused}`], values};
          const text = change(from, to, metric, exact);
          const grew = to > from, verdict = grew === (metric.polarity === 'lower') ? 'worse' : 'better';
          if (wasExact && exact) {
            return {cells: [...cells, text, isSame ? 'same' : verdict], values, style: isSame ? '' : verdict};
          }
          const [[low, high], [floor, ceiling]] = [ends(old.course, old.place), ends(now.course, now.place)];
          const isApart = high < floor || ceiling < low;
          const steps = old.course === now.course ? old.course.changes.filter(([place]) =>
            place > Math.min(old.place, now.place) && place <= Math.max(old.place, now.place)).length : 0;
          const found = steps === 1 ? 'a change that lasts' : `${steps} changes that last`;
          const between = steps === 0 ? '' : `, ${found} between`;
          return {
            cells: [...cells, text, (isApart ? 'intervals apart' : 'intervals overlap') + between], values,
            style: isApart && steps > 0 ? verdict : '',
          };
        };

        // Which share of the launches of either run a value is enough for.
        const distribution = (metric, before, after) => {
          const sides = [['base', before], ['new', after]].flatMap(([style, run]) => {
            const found = find(metric, run), deciles = found?.course.deciles?.[found.place];
            return deciles ? [{style, run, deciles}] : [];
          });
          if (sides.length === 0) return [element('p', {class: 'faint'}, `All launches agree in ${metric.name}.`)];
          const area = element('div', {class: 'plot'});
          redraws.push(() => area.replaceChildren(plot(area.clientWidth, `launches up to a ${metric.name}`, {
            xs: sides.flatMap(side => side.deciles), ys: [0, 100],
            labelX: level => quantity(level, metric, false), labelY: share => `${digits(share)} %`,
            ticksX: (most, low, high) => ticks(low, high),
          }, ({x, y, line, dot}) => {
            for (const {style, deciles} of sides) {
              line(deciles.map((level, tenth) => [x(level), y(tenth * 10)]), `course ${style}`);
              deciles.forEach((level, tenth) => dot(x(level), y(tenth * 10), 2.5, style));
            }
          }).svg));
          const keys = sides.flatMap(({style, run}) => [element('span', {class: `key ${style}`}), runs[run][NAME]]);
          const rows = Array.from({length: 11}, (_, tenth) => ({
            cells: [`${tenth * 10} %`, ...sides.map(side => quantity(side.deciles[tenth], metric, false))],
            values: [NaN, ...sides.map(side => side.deciles[tenth])],
          }));
          return [element('figure', {class: 'course'}, area, element('figcaption', {}, ...keys),
            element('details', {}, element('summary', {}, 'launches as a table'),
              table([['share of launches'], ...sides.map(({run}) => [runs[run][NAME], true])], rows)))];
        };

        const shellWord = word => /^[\w./=,:@%+~^-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
        const metric_ = () => metrics[$('metric').selectedIndex];
        let figures = 0;
        const compare = () => {
          const [before, after] = [Number($('before').value), Number($('after').value)];
          redraws.length = figures;
          const rows = metrics.map(metric => {
            const row = difference(metric, before, after);
            return {...row, cells: [metric.name, ...row.cells], values: row.values};
          });
          const parts = [
            table([['metric'], ['before', true], ['after', true], ['change', true], ['verdict']], rows),
            ...distribution(metric_(), before, after)];
          const [from, to] = [runs[before][HASH], runs[after][HASH]].map(hash => hash.slice(0, 12));
          if (from !== '' && to !== '' && from !== to) {
            parts.push(
              element('p', {class: 'faint'}, 'Launches of both in turn tell what the medians of two runs leave open:'),
              element('pre', {}, `gauge ab --base revision:${from} --new ${to} ${shellWord(title)}`));
          }
          $('comparison').replaceChildren(...parts);
          for (const redraw of redraws.slice(figures)) redraw();
        };
        const show = () => {
          redraws = [];
          $('courses').replaceChildren(...metric_().courses.map(course => courseFigure(metric_(), course)));
          figures = redraws.length;
          for (const redraw of redraws) redraw();
          compare();
        };

        for (const metric of metrics) $('metric').add(new Option(metric.name));
        const measured = [...new Set(metrics.flatMap(metric => metric.courses.flatMap(course => course.runs)))]
          .sort((left, right) => right - left);
        for (const which of ['before', 'after']) {
          for (const run of measured) $(which).add(new Option(words(runs[run]), run));
        }
        $('after').selectedIndex = 0;
        $('before').selectedIndex = Math.min(1, measured.length - 1);
        const named = metrics.findIndex(metric => `#${encodeURIComponent(metric.name)}` === location.hash);
        if (named > 0) $('metric').selectedIndex = named;
        $('metric').addEventListener('change', show);
        $('before').addEventListener('change', compare);
        $('after').addEventListener('change', compare);
        addEventListener('resize', () => { for (const redraw of redraws) redraw(); });
        $('drawn').hidden = false;
        field.hidden = false;
        show();
      }
    }
    """#
}
