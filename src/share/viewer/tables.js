// Makes elements of the document, and shows sheets as sortable tables with the terminal's units.

const NONE = 'Nothing found.';

// A new element with texts and elements inside. Texts never become markup.
function make(name, attributes, ...children) {
  const element = document.createElement(name);

  for (const [key, value] of Object.entries(attributes || {}))
    if (value !== undefined)
      element.setAttribute(key, value);
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

function button(text, run, attributes) {
  const element = make('button', {type: 'button', ...attributes}, text);

  element.addEventListener('click', run);
  return element;
}

function note(text) {
  return make('p', {class: 'note'}, text);
}

// Pairs of a name and a value; drops those without a value.
function pairsOf(pairs) {
  return make('dl', {}, ...pairs.filter(([, value]) => value)
    .flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]));
}

function cellText(column, value) {
  const formats = {
    ns: () => formatDuration(Number(value)), instant: () => formatInstant(value),
    count: () => formatCount(value), bytes: () => formatBytes(Number(value)),
    percent: () => value > 0 && value < 0.1 ? '<0.1 %' : `${value.toFixed(1)} %`,
    number: () => value.toFixed(column.decimals || 0), yes: () => value ? 'yes' : 'no',
  };

  return value === null || value === undefined ? '-' : (formats[column.kind] || String)(value);
}

function compareCells(a, b) {
  return (a === null) - (b === null) || (typeof a === 'number' && typeof b === 'number' ? a - b
    : String(a).localeCompare(String(b), undefined, {numeric: true}));
}

function classOf(column) {
  return column.kind === 'text' || column.kind === 'yes' ? undefined : 'n';
}

// A row with a link reacts to a click and Enter, and to arrows that move to the next.
function rowsOf(sheet, rows, go) {
  const depthAt = sheet.columns.findIndex((column) => column.key === 'depth');
  const tree = sheet.columns.findIndex((column) => column.kind === 'text');

  return rows.map((row, number) => {
    const line = make('tr', {tabindex: go && (number ? -1 : 0)}, ...sheet.columns.map((column, i) =>
      make('td', {class: classOf(column), title: (column.kind === 'text' && row[i]) || undefined},
        cellText(column, row[i]))));

    if (row[depthAt])
      line.children[tree].style.paddingLeft = `${row[depthAt] + 0.5}em`;
    if (go) {
      line.addEventListener('click', () => go(row));
      line.addEventListener('keydown', ({key}) => {
        if (key === 'Enter')
          go(row);
        ({ArrowDown: line.nextSibling, ArrowUp: line.previousSibling})[key]?.focus();
      });
    }
    return line;
  });
}

// Calls go(row) for a row with a link; go may be undefined.
function tableOf(sheet, go) {
  const body = make('tbody', {}, ...rowsOf(sheet, sheet.rows, go));
  const heads = sheet.columns.map((column, i) => {
    const sort = () => {
      const now = head.getAttribute('aria-sort');
      const isDown = now === 'none' ? Boolean(classOf(column)) : now === 'ascending';
      const rows = [...sheet.rows].sort((a, b) => compareCells(a[i], b[i]) * (isDown ? -1 : 1));

      heads.forEach((each) => each.setAttribute('aria-sort', 'none'));
      head.setAttribute('aria-sort', isDown ? 'descending' : 'ascending');
      body.replaceChildren(...rowsOf(sheet, rows, go));
    };
    const head = make('th', {scope: 'col', class: classOf(column), 'aria-sort': 'none'},
      button(column.title, sort));

    return head;
  });

  const isFull = sheet.rows.length > 0;
  const shares = sheet.columns.filter(({title, of}) => isFull && of && !title.endsWith(of))
    .map(({title, of}) => `${title}: of ${of}.`);

  return make('section', {class: 'sheet'},
    make('div', {class: 'wide', tabindex: 0, role: 'group', 'aria-label': sheet.title},
      make('table', {}, make('caption', {}, sheet.title),
        isFull ? make('thead', {}, make('tr', {}, ...heads)) : null, body)),
    note(isFull ? shares.join(' ') : NONE),
    sheet.left ? note(`${formatCount(sheet.left)} more rows are left out.`) : null,
    ...sheet.notes.map(note));
}

// A sheet made by the page: {title: kind} and at most 500 rows.
function sheetOf(title, columns, rows) {
  return {title, notes: [], left: Math.max(0, rows.length - 500), rows: rows.slice(0, 500),
    columns: Object.entries(columns).map(([each, kind]) => ({title: each, kind}))};
}
