// The state of the page: window of time, row with the cursor, folds, selection.

const ROW = 20; // pixels per row

const state = {
  view: null, // {t0, t1}
  shown: [], // lines that are not folded
  row: 0, // index in shown
  cursor: 0,
  event: null, // a PageEvent
  range: null, // {t0, t1, rows: [from, to] in shown}
  mark: null,
  pane: '',
  full: false, // demangled names
  relative: false,
  theme: '',
  folded: new Set(), // folded tracks
  needle: '',
  hits: [],
  views: [], // earlier views
  undone: [],
};

function clamp(value, least, most) {
  return Math.max(least, Math.min(most, value));
}

// ---- rows ----

function currentLine() {
  return state.shown[state.row];
}

function layout() {
  const before = currentLine();
  let skip = -1;

  state.shown = meta.lines.filter((line) => {
    const isShown = line.track >= skip;

    if (isShown && line.isGroup && state.folded.has(line.track))
      ({skip} = line);
    return isShown;
  });
  state.row = clamp(before ? state.shown.indexOf(before) : state.row, 0, state.shown.length - 1);
}

function moveRow(to) {
  state.row = clamp(to, 0, state.shown.length - 1);
  changed('row');
}

// Opens the folds around a line, and goes to it.
function goLine(line) {
  for (const group of meta.lines)
    if (group.track <= line.track && group.skip > line.track && group !== line)
      state.folded.delete(group.track);
  layout();
  state.row = Math.max(0, state.shown.indexOf(line));
}

function fold(group) {
  if (!state.folded.delete(group.track))
    state.folded.add(group.track);
  layout();
  changed('rows');
}

function foldThose(isSo) {
  state.folded = new Set(meta.lines.filter(isSo).map((line) => line.track));
}

function foldAll(on) {
  foldThose((line) => on && line.isGroup);
  layout();
  changed('rows');
}

// ---- time ----

// Clips to the trace, at least 10 ns wide.
function clip(t0, t1) {
  const span = clamp(Math.round(t1 - t0), Math.min(10, meta.length), meta.length);
  const at = clamp(Math.round(t0), 0, meta.length - span);

  return {t0: at, t1: at + span};
}

function viewSpan() {
  return state.view.t1 - state.view.t0;
}

// Changes the view without a step for undo.
function setView(view) {
  state.view = view;
  state.cursor = clamp(state.cursor, view.t0, view.t1 - 1);
  changed('view');
}

// With keep, replaces the previous step: a drag is one step.
function show(t0, t1, keep) {
  const next = clip(t0, t1);

  if (next.t0 === state.view.t0 && next.t1 === state.view.t1)
    return;
  if (!keep) {
    state.views = [...state.views.slice(-99), state.view];
    state.undone = [];
  }
  setView(next);
}

// Goes back (-1) or forward (1) through the views.
function retrace(by) {
  const [from, to] = by < 0 ? [state.views, state.undone] : [state.undone, state.views];

  if (from.length) {
    to.push(state.view);
    setView(from.pop());
  }
}

function pan(ns) {
  show(state.view.t0 + ns, state.view.t1 + ns);
}

function zoom(factor, about = state.cursor) {
  show(about - (about - state.view.t0) * factor, about + (state.view.t1 - about) * factor);
}

// Shows a time in the middle, and widens a window that is too short to see it.
function reveal(t0, t1) {
  const span = viewSpan();
  const isTiny = (t1 - t0) * 200 <= span;

  if (t0 >= state.view.t0 && t1 <= state.view.t1 && !isTiny)
    return;
  const wanted = t1 - t0 > span || isTiny ? Math.max(10, (t1 - t0) * 5) : span;

  show((t0 + t1 - wanted) / 2, (t0 + t1 + wanted) / 2);
}

// ---- selection ----

function select(event, quiet) {
  goLine(event.line);
  state.event = event;
  state.cursor = event.start;
  if (!quiet)
    reveal(event.start, event.end);
  changed('event');
}

// Sets a range of at least 1 ns; without rows, over all of them.
function setRange(from, to, rows) {
  const [t0, t1] = [from, to].map(Math.round).sort((a, b) => a - b);

  state.range = {t0, t1: Math.max(t0 + 1, t1), rows: rows && rows.sort((a, b) => a - b)};
  changed('range');
}

function showPane(key) {
  state.pane = key;
  changed('pane');
}

// Goes to the place of a finding, a bookmark or a row of a table; each part may be missing.
function goTo({window, track, event: number}) {
  const event = eventAt(number);
  const line = meta.lines.find((each) => each.track === track);

  if (line)
    goLine(line);
  if (window) {
    setRange(...window);
    reveal(...window);
  }
  if (event)
    select(event);
  changed('rows');
}

// ---- the link ----

function fragment() {
  const {view, range, event, pane, theme} = state;
  const span = (times) => times && `${times.t0}-${times.t1}`;
  const values = {t: span(view), row: currentLine()?.index, event: event?.number,
    range: span(range), pane, theme};

  return Object.entries(values).filter(([, value]) => value || value === 0)
    .map((pair) => pair.join('=')).join('&');
}

// Restores the parts of a link that this page has.
function restore(text) {
  const link = new URLSearchParams(text);
  const number = (key) => Number(link.get(key) ?? NaN);
  const times = (key) => {
    const [, t0, t1] = (/^(\d+)-(\d+)$/.exec(link.get(key)) || []).map(Number);

    return t1 > t0 ? {t0, t1} : null;
  };
  const wanted = (key, of) => Object.hasOwn(of, link.get(key)) && link.get(key);
  const view = times('t');
  const line = meta.lines[number('row')];
  const event = eventAt(number('event'));

  if (view) {
    state.view = clip(view.t0, view.t1);
    state.cursor = (state.view.t0 + state.view.t1) / 2;
  }
  if (view || line)
    state.event = null;
  state.range = times('range');
  state.theme = wanted('theme', meta.themes) || '';
  state.pane = wanted('pane', panes) || state.pane;
  if (line)
    goLine(line);
  if (event)
    select(event, true);
}

// Shows the first view: all of it, with the cursor where the terminal's is.
function begin() {
  state.view = {t0: meta.window[0], t1: meta.window[1]};
  state.cursor = meta.start;
  state.pane = meta.findings.length ? 'findings' : 'details';
  foldThose((line) => line.folded);
  layout();
  state.row = Math.max(0, state.shown.findIndex((line) => line.kind === 'lane'));
  const events = currentLine()?.events;
  const i = events && findFirst(events.n, (each) => events.start[each] >= meta.start);

  if (events?.start[i] < state.view.t1) {
    state.event = new PageEvent(currentLine(), i);
    state.cursor = state.event.start;
  }
}
