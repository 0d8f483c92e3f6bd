// The panes below the timeline. Each returns elements; null: none.

const panes = {
  details: {title: 'Details', fill: details},
  selection: {title: 'Selection', fill: selection},
  search: {title: 'Search', fill: searchPane},
  findings: {title: 'Findings', fill: () => entries(meta.findings, parts.sums)},
  bookmarks: {title: 'Bookmarks', fill: () => entries(meta.bookmarks, parts.steps)},
};

// Arrow keys move between the tabs.
function addPanes() {
  const {tablist} = parts;

  for (const key of ['findings', 'bookmarks'])
    panes[key].title += ` ${meta[key].length}`;
  for (const {key, title, sheets} of meta.panes)
    panes[key] = {title, fill: () => sheets.map((sheet) => tableOf(sheet, goOf(sheet)))};
  panes.about = {title: 'About', fill: about};
  tablist.append(...Object.entries(panes).map(([key, {title}]) =>
    button(title, () => showPane(key), {role: 'tab', id: `tab-${key}`, 'aria-controls': 'pane'})));
  tablist.addEventListener('keydown', ({key, target}) => {
    const next = {ArrowRight: target.nextSibling, ArrowLeft: target.previousSibling}[key];

    next?.click();
    next?.focus();
  });
}

function drawPane() {
  const shown = `tab-${state.pane}`;

  for (const tab of parts.tablist.children) {
    tab.setAttribute('aria-selected', tab.id === shown);
    tab.tabIndex = tab.id === shown ? 0 : -1;
  }
  parts.pane.setAttribute('aria-labelledby', shown);
  parts.pane.replaceChildren(...panes[state.pane].fill().filter(Boolean));
}

// ---- details of the selected event ----

function eventButton(event) {
  return button(event.title.full, () => select(event));
}

function details() {
  const {event} = state;

  if (!event)
    return [meta.hasEvents ? parts.unselected : parts.without, rowNow()];
  const {linked, line, start, end, title} = event;
  const isOp = line.of === 'stream';
  const source = event.isLed ? linked : event;
  const path = source ? source.path() : [];

  return [make('h2', {}, title.full), pairsOf([
    ['kind', title.kind],
    ['row', place(line)],
    ['start', when(start)],
    ['duration', formatDuration(end - start)],
    ['end', when(end)],
    ...meta.shapes[event.of('shape')].split('\n').map((pair) => pair.split('\t')),
    [isOp ? 'launched by' : event.isLed ? 'range' : 'launched', linked && eventButton(linked)],
    ['queued', isOp && linked && start >= linked.end && formatDuration(start - linked.end)],
    ['NVTX path', path.length && make('span', {}, ...path.flatMap((each, i) =>
      [i ? ' › ' : '', eventButton(each)]))],
    ['row in the export', event.of('source') && String(event.of('source') - 1)],
  ])];
}

function place(line) {
  return `${line.label} · ${groupOf(line).label}`;
}

// The row with the cursor, in the window.
function rowNow() {
  const line = currentLine();

  if (!hasRows(line))
    return null;
  const at = measureLine(line, state.view.t0, state.view.t1);

  return pairsOf([
    ['row', place(line)],
    ['busy', `${formatPercent(at.busy, at.t1 - at.t0)} of ${formatDuration(at.t1 - at.t0)}`],
    ['events', formatCount(at.events)],
  ]);
}

// ---- statistics of the range, or of the window ----

function selection() {
  const {range, shown, view} = state;
  const {t0, t1} = range || view;
  const lines = (range?.rows ? shown.slice(range.rows[0], range.rows[1] + 1)
    : shown.filter(({kind}) => kind !== 'projected')).filter(hasRows);
  const found = statistics(lines, t0, t1);
  const sheet = sheetOf('By name: whole events that touch the range', {Name: 'text',
    Count: 'count', Total: 'ns', Mean: 'ns', Median: 'ns', p95: 'ns', Longest: 'ns'},
  found.names.map((row) => Object.values(row)));

  return [pairsOf([
    [range ? 'range' : 'window', whenSpan(found.t0, found.t1)],
    ['rows', formatCount(lines.length)],
    ['events', formatCount(found.events)],
    ['summed time inside', formatDuration(found.busy)],
  ]), ...meta.lines.filter(isDevice).map((line) =>
    make('p', {}, `${line.label}: ${deviceText(measureDevice(line, t0, t1))}`)),
  found.exact ? null : parts.coarse, found.names.length ? tableOf(sheet) : null];
}

// ---- search, findings, bookmarks ----

function searchPane() {
  if (!meta.hasEvents)
    return [parts.without];
  if (!state.needle)
    return [parts.needed];
  const rows = state.hits.map((hit) => [hit.title.full, String(instant(hit.start)),
    hit.end - hit.start, hit.line.label, hit]);

  return [tableOf(sheetOf(`${formatCount(rows.length)} hits for ${state.needle}`,
    {Name: 'text', Start: 'instant', Duration: 'ns', Row: 'text'}, rows), (row) => select(row[4])),
  meta.columns ? parts.within : null];
}

// Lists findings or bookmarks: the link to the place, and sentences about it.
function entries(list, ending) {
  return [make('ol', {}, ...list.map((entry) => make('li', {class: entry.severity},
    entry.window || entry.track !== undefined ? button(entry.title, () => goTo(entry))
      : make('b', {}, entry.title),
    ` ${entry.severity || when(entry.time)}`, entry.ns ? ` · ${formatDuration(entry.ns)}` : null,
    ...entry.texts.map((text) => make('p', {}, text))))), list.length ? ending : note(NONE)];
}

// ---- tables that lead to a time ----

function goOf({columns}) {
  const [start, end, length] = [['start_ns'], ['end_ns'], ['duration_ns', 'span_ns', 'longest_ns']]
    .map((keys) => columns.findIndex(({key}) => keys.includes(key)));
  const time = (value) => Number(BigInt(value) - BigInt(meta.origin));

  if (start < 0 || Math.max(end, length) < 0)
    return undefined;
  return (row) => goTo({window: [time(row[start]),
    end < 0 ? time(row[start]) + Number(row[length]) : time(row[end])]});
}

function about() {
  const sheet = sheetOf('Keys in the timeline, as in the terminal', {Keys: 'text', Does: 'text'},
    meta.keys.filter(([name]) => actions[name]).map((key) => key.slice(1)));

  return [...meta.files.map((file) => pairsOf([['file', file.name], ['export', file.label],
    ['host', file.host], ['events', formatCount(file.events)]])),
  pairsOf([['page', meta.command]]), parts.hints, tableOf(sheet)];
}
