// What the page shows: the window of time, the row with the cursor, folds, the selection.

const ROW = 20; // pixels of a row

class State {
  constructor(meta) {
    this.meta = meta;
    this.model = new Model(meta);
    this.view = {t0: meta.window[0], t1: meta.window[1]};
    this.cursor = this.view.t0;
    this.row = 0;
    this.event = -1; // number in the page
    this.range = null; // {t0, t1, rows: [from, to] of the shown lines}
    this.mark = null;
    this.pane = 'details';
    this.full = false; // demangled names
    this.relative = false;
    this.theme = '';
    this.folded = new Set();
    this.hits = [];
    this.hit = -1;
    this.undone = [];
    this.views = [];
    this.listeners = [];
    for (const line of meta.lines)
      if (line.folded)
        this.folded.add(line.track);
    this.layout();
    this.row = Math.max(0, this.shown.findIndex((line) => line.kind === 'lane'));
  }

  // The lines that folds leave.
  layout() {
    const at = this.shown && this.shown[this.row];
    let skip = -1;

    this.shown = this.meta.lines.filter((line) => {
      if (line.kind === 'group' && line.track >= skip && this.folded.has(line.track)) {
        skip = line.skip;
        return true;
      }
      return line.track >= skip;
    });
    if (at)
      this.row = Math.max(0, this.shown.indexOf(at));
    this.row = Math.min(this.row, this.shown.length - 1);
  }

  changed(what) {
    for (const listener of this.listeners)
      listener(what || 'view');
  }

  line() {
    return this.shown[this.row];
  }

  // Clips to the trace, at least 10 ns wide.
  clip(t0, t1) {
    const length = this.meta.length;
    const span = Math.max(Math.min(10, length), Math.min(length, Math.round(t1 - t0)));
    const at = Math.max(0, Math.min(length - span, Math.round(t0)));

    return {t0: at, t1: at + span};
  }

  show(t0, t1, keep) {
    const next = this.clip(t0, t1);

    if (next.t0 === this.view.t0 && next.t1 === this.view.t1)
      return;
    if (!keep) {
      this.views.push(this.view);
      if (this.views.length > 100)
        this.views.shift();
      this.undone = [];
    }
    this.view = next;
    this.cursor = Math.max(next.t0, Math.min(next.t1 - 1, this.cursor));
    this.changed();
  }

  undo() {
    const last = this.views.pop();

    if (last) {
      this.undone.push(this.view);
      this.show(last.t0, last.t1, true);
    }
  }

  redo() {
    const next = this.undone.pop();

    if (next) {
      this.views.push(this.view);
      this.show(next.t0, next.t1, true);
    }
  }

  pan(ns) {
    this.show(this.view.t0 + ns, this.view.t1 + ns);
  }

  zoom(factor, at) {
    const {t0, t1} = this.view;
    const about = at === undefined ? this.cursor : at;

    this.show(about - (about - t0) * factor, about + (t1 - about) * factor);
  }

  // Shows a time in the middle, and widens a window that is too short to see it.
  reveal(t0, t1) {
    const span = this.view.t1 - this.view.t0;

    if (t0 >= this.view.t0 && t1 <= this.view.t1 && (t1 - t0) * 200 > span)
      return;
    const wanted = t1 - t0 > span || (t1 - t0) * 200 <= span ? Math.max(10, (t1 - t0) * 5) : span;

    this.show((t0 + t1 - wanted) / 2, (t0 + t1 + wanted) / 2);
  }

  moveRow(to) {
    this.row = Math.max(0, Math.min(this.shown.length - 1, to));
    this.changed('row');
  }

  // Unfolds what hides a line, and goes to it.
  goLine(line) {
    for (const group of this.meta.lines)
      if (group.kind === 'group' && group.track <= line.track && group.skip > line.track &&
          group !== line)
        this.folded.delete(group.track);
    this.layout();
    this.row = Math.max(0, this.shown.indexOf(line));
  }

  select(line, i, quiet) {
    this.goLine(line);
    this.event = this.model.numberOf(line, i);
    this.cursor = line.events.start[i];
    if (!quiet)
      this.reveal(line.events.start[i], line.events.end[i]);
    this.changed('event');
  }

  selected() {
    return this.model.eventAt(this.event);
  }

  fold(group) {
    if (!this.folded.delete(group.track))
      this.folded.add(group.track);
    this.layout();
    this.changed('rows');
  }

  toggle(what) {
    this[what] = !this[what];
    this.changed();
  }

  foldAll(on) {
    for (const line of this.meta.lines)
      if (line.kind === 'group')
        this.folded[on ? 'add' : 'delete'](line.track);
    this.layout();
    this.changed('rows');
  }

  // The view as the link has it, and back.
  fragment() {
    const parts = {t: `${this.view.t0}-${this.view.t1}`, row: this.line() ? this.line().index : 0};

    if (this.event >= 0)
      parts.event = this.event;
    if (this.range)
      parts.range = `${this.range.t0}-${this.range.t1}`;
    if (this.pane !== 'details')
      parts.pane = this.pane;
    if (this.theme)
      parts.theme = this.theme;
    return new URLSearchParams(parts).toString();
  }

  restore(fragment) {
    const parts = new URLSearchParams(fragment);
    const times = (key) => (/^(\d+)-(\d+)$/.exec(parts.get(key) || '') || []).slice(1).map(Number);
    const view = times('t');
    const range = times('range');
    const line = this.meta.lines[Number(parts.get('row') || -1)];
    const at = this.model.eventAt(Number(parts.get('event') || -1));

    if (view.length && view[1] > view[0])
      this.view = this.clip(view[0], view[1]);
    if (range.length && range[1] > range[0])
      this.range = {t0: range[0], t1: range[1], rows: null};
    if (line)
      this.goLine(line);
    if (at)
      this.select(at.line, at.i, true);
    if (['dark', 'light'].includes(parts.get('theme')))
      this.theme = parts.get('theme');
    this.pane = parts.get('pane') || this.pane;
    this.cursor = at ? at.line.events.start[at.i] : (this.view.t0 + this.view.t1) / 2;
  }
}
