// Sheets as tables: sortable by each column, with the units of the terminal.

// A new element: make('td', {class: 'n'}, 'text' or elements ...). Texts never become markup.
function make(name, attributes, ...children) {
  const element = document.createElement(name);

  for (const [key, value] of Object.entries(attributes || {}))
    if (value !== undefined && value !== false)
      element.setAttribute(key, value === true ? '' : value);
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

function button(text, run, attributes) {
  const element = make('button', {type: 'button', ...attributes}, text);

  element.addEventListener('click', run);
  return element;
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
  if (a === null || b === null)
    return (a === null) - (b === null);
  return typeof a === 'number' && typeof b === 'number' ? a - b
    : String(a).localeCompare(String(b), undefined, {numeric: true});
}

// A table of a sheet. go(row) is called for a row that leads somewhere; may be undefined.
function tableOf(sheet, go) {
  const isNumber = (column) => column.kind !== 'text' && column.kind !== 'yes';
  const depthAt = sheet.columns.findIndex((column) => column.key === 'depth');
  const tree = sheet.columns.findIndex((column) => column.kind === 'text');
  const body = make('tbody');
  let sorted = -1;
  let down = false;
  const fill = (rows) => body.replaceChildren(...rows.map((row) => {
    const line = make('tr', {}, ...sheet.columns.map((column, i) => {
      const cell = make('td', {class: isNumber(column) ? 'n' : undefined},
        cellText(column, row[i]));

      if (i === tree && row[depthAt])
        cell.style.paddingLeft = `${row[depthAt] + 0.5}em`;
      return cell;
    }));

    if (go) {
      line.tabIndex = 0;
      line.addEventListener('click', () => go(row));
      line.addEventListener('keydown', (event) => event.key === 'Enter' && go(row));
    }
    return line;
  }));
  const heads = sheet.columns.map((column, i) => make('th',
    {scope: 'col', class: isNumber(column) ? 'n' : undefined, 'aria-sort': 'none'},
    button(column.title, () => {
      down = sorted === i ? !down : isNumber(column);
      sorted = i;
      heads.forEach((head, k) => head.setAttribute('aria-sort',
        k === i ? down ? 'descending' : 'ascending' : 'none'));
      fill([...sheet.rows].sort((a, b) => compareCells(a[i], b[i]) * (down ? -1 : 1)));
    }, {title: column.of ? `of ${column.of}` : undefined})));

  fill(sheet.rows);
  return make('section', {class: 'sheet'},
    make('div', {class: 'wide', tabindex: 0, role: 'group', 'aria-label': sheet.title},
      make('table', {}, make('caption', {}, sheet.title),
        make('thead', {}, make('tr', {}, ...heads)), body)),
    ...sheet.columns.filter((column) => column.of).map((column) =>
      make('p', {class: 'note'}, `${column.title}: of ${column.of}.`)),
    sheet.left ? make('p', {class: 'note'}, `${formatCount(sheet.left)} more rows are left out.`)
      : null,
    ...sheet.notes.map((note) => make('p', {class: 'note'}, note)));
}

// A sheet of the page's own: {title: kind} and the rows, at most 500.
function sheetOf(title, columns, rows) {
  return {title, notes: [], left: Math.max(0, rows.length - 500), rows: rows.slice(0, 500),
    columns: Object.entries(columns).map(([each, kind]) => ({title: each, kind}))};
}

// Pairs of a name and a value.
function pairsOf(pairs) {
  return make('dl', {}, ...pairs.filter((pair) => pair[1] !== undefined && pair[1] !== '')
    .flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]));
}
