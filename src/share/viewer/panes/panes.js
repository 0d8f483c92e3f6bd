// The panes below the timeline: details, selection, search, findings, bookmarks, tables, help.

class Panes {
  constructor(state, parts, actions) {
    this.state = state;
    this.parts = parts;
    this.actions = actions;
    this.list = [
      {key: 'details', title: 'Details', fill: () => this.details()},
      {key: 'selection', title: 'Selection', fill: () => this.selection()},
      {key: 'search', title: 'Search', fill: () => this.search()},
      {key: 'findings', title: `Findings ${state.meta.findings.length}`,
        fill: () => this.findings()},
      {key: 'bookmarks', title: `Bookmarks ${state.meta.bookmarks.length}`,
        fill: () => this.bookmarks()},
      ...state.meta.panes.map((pane) => ({key: pane.key, title: pane.title,
        fill: () => pane.sheets.map((sheet) => tableOf(sheet, this.goOf(sheet)))})),
      {key: 'about', title: 'About', fill: () => this.about()},
    ];
    if (!this.list.some((pane) => pane.key === state.pane))
      state.pane = 'details';
    this.tabs();
  }

  // ---- the tabs: arrow keys move between them ----

  tabs() {
    const {tablist} = this.parts;

    tablist.replaceChildren(...this.list.map((pane) => button(pane.title,
      () => this.show(pane.key), {role: 'tab', id: `tab-${pane.key}`, 'aria-controls': 'pane'})));
    tablist.addEventListener('keydown', (event) => {
      const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
      const at = this.list.findIndex((pane) => pane.key === this.state.pane);
      const next = this.list[(at + step + this.list.length) % this.list.length];

      if (!step)
        return;
      event.preventDefault();
      event.stopPropagation();
      this.show(next.key);
      document.getElementById(`tab-${next.key}`).focus();
    });
  }

  show(key) {
    this.state.pane = key;
    this.state.changed('pane');
  }

  draw() {
    const pane = this.list.find((each) => each.key === this.state.pane) || this.list[0];

    for (const tab of this.parts.tablist.children) {
      const isShown = tab.id === `tab-${pane.key}`;

      tab.setAttribute('aria-selected', String(isShown));
      tab.tabIndex = isShown ? 0 : -1;
    }
    this.parts.pane.setAttribute('aria-labelledby', `tab-${pane.key}`);
    this.parts.pane.replaceChildren(...pane.fill().filter(Boolean));
  }

  // ---- details of the selected event ----

  eventButton(at, text) {
    return button(text || this.name(at), () => this.state.select(at.line, at.i));
  }

  name(at) {
    return this.state.model.title(at.line.events.title[at.i]).full;
  }

  // The launch of an op, and where it lies in the program.
  origin(at) {
    const {model} = this.state;
    const launch = nsKind(at) ? model.eventAt(at.line.events.link[at.i] - 1) : at;
    const path = launch ? model.path(launch.line.group, launch.line.events.start[launch.i]) : [];

    return {launch: launch && launch !== at ? launch : null,
      path: path.filter((each) => each.line !== at.line || each.i !== at.i)};
  }

  details() {
    const {model} = this.state;
    const at = this.state.selected();

    if (!at)
      return [make('p', {}, 'Select an event: click it, or press Tab in the timeline.'),
        ...this.row()];
    const {events} = at.line;
    const title = model.title(events.title[at.i]);
    const {launch, path} = this.origin(at);
    const linked = model.eventAt(events.link[at.i] - 1);
    const trail = make('span', {});

    path.forEach((each, i) => trail.append(i ? ' › ' : '', this.eventButton(each)));
    return [make('h2', {}, title.full), pairsOf([
      ['kind', title.kind],
      ['row', this.place(at.line)],
      ['start', model.when(events.start[at.i])],
      ['duration', formatDuration(events.end[at.i] - events.start[at.i])],
      ['end', model.when(events.end[at.i])],
      ...this.shape(at),
      ['launched by', launch ? this.eventButton(launch) : undefined],
      ['queued', launch && events.start[at.i] >= launch.line.events.end[launch.i]
        ? formatDuration(events.start[at.i] - launch.line.events.end[launch.i]) : undefined],
      [at.line.kind === 'projected' ? 'range' : 'launched',
        !launch && linked ? this.eventButton(linked) : undefined],
      ['NVTX path', path.length ? trail : undefined],
      ['row in the export', events.source[at.i] ? String(events.source[at.i] - 1) : undefined],
    ])];
  }

  // Grid, block, registers and memory of a kernel, bytes of a copy.
  shape(at) {
    return this.state.meta.shapes[at.line.events.shape[at.i]].split('\n').filter(Boolean)
      .map((each) => each.split('\t'))
      .map(([name, value]) =>
        [name, /memory|bytes/.test(name) ? formatBytes(Number(value)) : value]);
  }

  place(line) {
    return `${line.label} · ${this.state.model.group(line).label}`;
  }

  // The row with the cursor, in the window.
  row() {
    const {meta, view} = this.state;
    const line = this.state.line();

    if (!line || (!line.events && !line.columns))
      return [];
    const at = measureLine(meta, line, view.t0, view.t1);

    return [pairsOf([
      ['row', this.place(line)],
      ['busy', `${formatPercent(at.busy, at.t1 - at.t0)} of ${formatDuration(at.t1 - at.t0)}`],
      ['events', formatCount(at.events)],
    ])];
  }

  // ---- statistics of the range, or of the window ----

  selection() {
    const {state} = this;
    const range = state.range || state.view;
    const lines = (state.range && state.range.rows
      ? state.shown.slice(state.range.rows[0], state.range.rows[1] + 1) : state.shown)
      .filter((line) => line.events || line.columns);
    const found = state.model.statistics(lines, range.t0, range.t1);
    const devices = state.meta.lines.filter((line) => line.covers || line.coverColumns);
    const sheet = sheetOf('By name: whole events that touch the range', {Name: 'text',
      Count: 'count', Total: 'ns', Mean: 'ns', Median: 'ns', p95: 'ns', Longest: 'ns'},
    found.names.map((row) =>
      [row.name, row.count, row.total, row.mean, row.median, row.p95, row.longest]));

    return [pairsOf([
      [state.range ? 'range' : 'window', `${state.model.when(found.t0)} to ` +
        `${state.model.when(found.t1)} (${formatDuration(found.t1 - found.t0)})`],
      ['rows', formatCount(lines.length)],
      ['events', formatCount(found.events)],
      ['summed time inside', formatDuration(found.busy)],
    ]), ...devices.map((line) => make('p', {}, `${line.label}: ${deviceText(measureDevice(
      state.meta, line, range.t0, range.t1))}`)),
    found.exact || !lines.length ? null : make('p', {class: 'note'}, 'This page has no single ' +
      'events there: the figures are those of the columns that meet the range.'),
    found.names.length ? tableOf(sheet) : null];
  }

  // ---- search ----

  search() {
    const {state} = this;
    const sheet = sheetOf(`${formatCount(state.hits.length)} hits`, {Start: 'instant',
      Duration: 'ns', Row: 'text', Name: 'text'}, state.hits.map(({line, i}) =>
      [String(state.model.instant(line.events.start[i])), line.events.end[i] - line.events.start[i],
        line.label, this.name({line, i}), {line, i}]));
    const field = make('input', {type: 'search', id: 'find', value: state.needle || '',
      'aria-label': 'Find events by name', placeholder: 'part of a name'});

    field.addEventListener('keydown', (event) =>
      event.key === 'Enter' && this.actions.find(field.value));
    return [make('div', {role: 'search'}, field, ' Enter finds, n and N step through the hits'),
      state.needle ? tableOf(sheet, (row) => state.select(row[4].line, row[4].i)) : null];
  }

  // ---- findings, bookmarks ----

  goTo(window, track, event) {
    const {state} = this;
    const at = event === undefined ? null : state.model.eventAt(event);
    const line = state.meta.lines.find((each) => each.track === track);

    if (line)
      state.goLine(line);
    if (window) {
      state.range = {t0: window[0], t1: Math.max(window[0] + 1, window[1]), rows: null};
      state.reveal(window[0], window[1]);
    }
    if (at)
      state.select(at.line, at.i);
    state.changed('rows');
  }

  findings() {
    const {findings} = this.state.meta;

    return [make('ol', {class: 'findings'}, ...findings.map((finding) => make('li',
      {class: finding.severity.replace(/ /g, '-')},
      finding.window || finding.track !== undefined
        ? button(finding.title, () => this.goTo(finding.window, finding.track, finding.event))
        : make('b', {}, finding.title),
      ` ${finding.severity}${finding.ns > 0 ? ` · ${formatDuration(finding.ns)}` : ''}`,
      ...finding.evidence.map((text) => make('p', {}, text)),
      finding.next ? make('p', {}, `next: ${finding.next}`) : null))),
    make('p', {class: 'note'}, findings.length
      ? 'The times of several findings may be the same time: do not add them.' : 'Nothing found.')];
  }

  bookmarks() {
    const {meta, model} = this.state;

    return [make('ol', {}, ...meta.bookmarks.map((mark) => make('li', {},
      button(mark.name || 'bookmark', () => this.goTo(mark.zoom || mark.range ||
        [mark.time, mark.time + 1], mark.track)),
      ` ${model.when(mark.time)}`,
      mark.range ? ` · ${formatDuration(mark.range[1] - mark.range[0])}` : '',
      mark.tags ? make('p', {}, `tags: ${mark.tags}`) : null,
      mark.note ? make('p', {}, mark.note) : null,
      mark.path ? make('p', {class: 'note'}, mark.path) : null))),
    meta.bookmarks.length ? null : make('p', {}, 'No bookmarks were saved for this export.')];
  }

  // ---- tables that lead to a time ----

  goOf(sheet) {
    const at = (key) => sheet.columns.findIndex((column) => column.key === key);
    const start = at('start_ns');
    const end = at('end_ns');
    const length = ['duration_ns', 'span_ns', 'longest_ns'].map(at).find((i) => i >= 0);

    if (start < 0 || (end < 0 && length === undefined))
      return undefined;
    return (row) => {
      const t0 = Number(BigInt(row[start]) - this.state.model.origin);
      const t1 = end >= 0 ? Number(BigInt(row[end]) - this.state.model.origin)
        : t0 + Number(row[length]);

      this.goTo([t0, Math.max(t0 + 1, t1)]);
    };
  }

  about() {
    const {meta} = this.state;
    const sheet = sheetOf('Keys in the timeline, as in the terminal', {Keys: 'text', Does: 'text'},
      meta.keys.filter(([name]) => this.actions.run[name]).map((key) => key.slice(1)));

    return [...meta.files.map((file) => pairsOf([['file', file.name], ['export', file.label],
      ['host', file.host], ['events', formatCount(file.events)]])),
    pairsOf([['page', meta.command]]),
    ...meta.notes.map((note) => make('p', {class: 'note'}, note)), tableOf(sheet),
    make('p', {}, 'Wheel: zoom at the pointer. Shift and wheel: pan. Drag: select an area. F6: ' +
      'to the next region of the page. The link in the address bar keeps the view.')];
  }
}

// Whether the link of an event leads back to its launch.
function nsKind(at) {
  return at.line.of === 'stream' || at.line.kind === 'projected';
}
