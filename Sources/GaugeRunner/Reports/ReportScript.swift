// The script of the HTML reports' pages: sorts and searches their tables.
// No test file: text that a browser runs; scripts/checks/check-report tests it in one.

/// The constant script of a page of tables.
enum ReportScript {
  /// A click on a column's title sorts by it, numbers from the largest on and then from the smallest. What is searched
  /// for stays in sight: rows that hold it, with the folded tables that they are in.
  static let text = #"""
    'use strict';
    const tables = () => [...document.querySelectorAll('table.rows')];
    const key = (body, column) => {
      const cell = body.rows[0].cells[column];
      return cell.dataset.value !== undefined ? Number(cell.dataset.value) : cell.textContent.trim();
    };
    // What has no number stands behind what has one, whichever way it is sorted.
    const order = (left, right, way) => {
      if (typeof left !== typeof right) return typeof left === 'number' ? -1 : 1;
      const way_ = way === 'ascending' ? 1 : -1;
      return way_ * (typeof left === 'number' ? left - right : left.localeCompare(right, 'en', {numeric: true}));
    };
    const makeSortable = table => {
      const heads = [...table.tHead.rows[0].cells];
      heads.forEach((head, column) => {
        const button = document.createElement('button');
        button.type = 'button';
        button.textContent = head.textContent;
        head.replaceChildren(button);
        button.addEventListener('click', () => {
          const first = head.classList.contains('number') ? 'descending' : 'ascending';
          const second = first === 'ascending' ? 'descending' : 'ascending';
          const way = head.getAttribute('aria-sort') === first ? second : first;
          for (const other of heads) other.removeAttribute('aria-sort');
          head.setAttribute('aria-sort', way);
          table.append(...[...table.tBodies].sort((left, right) => order(key(left, column), key(right, column), way)));
        });
      });
    };
    tables().forEach(makeSortable);
    const field = document.querySelector('.search'), input = field.querySelector('input');
    const wereOpen = new WeakMap();
    field.hidden = tables().length === 0;
    input.addEventListener('input', () => {
      const needle = input.value.trim().toLowerCase();
      const fits = element => element.textContent.toLowerCase().includes(needle);
      const rows = tables().flatMap(table => [...table.tBodies]);
      for (const row of rows) row.hidden = !fits(row);
      for (const panel of document.querySelectorAll('section.panel')) panel.hidden = !fits(panel);
      for (const fold of document.querySelectorAll('details')) {
        if (!wereOpen.has(fold)) wereOpen.set(fold, fold.open);
        const found = [...fold.querySelectorAll('tbody, section.panel')].some(part => !part.hidden);
        fold.hidden = needle !== '' && !found;
        fold.open = needle === '' ? wereOpen.get(fold) : found;
      }
      const shown = rows.filter(row => !row.hidden).length;
      field.querySelector('output').textContent = needle === '' ? '' : `${shown} of ${rows.length} rows`;
    });
    """#
}
