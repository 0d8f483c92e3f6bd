// Builds the page from its data, and keeps its parts consistent.

// The elements of viewer.html.
function layoutPage() {
  parts = Object.fromEntries([...document.querySelectorAll('[id]')].map((each) => [each.id, each]));
  parts.title.textContent = meta.files.map((file) => file.name).join(', ');
  document.title = `${parts.title.textContent} · nsyscope`;
  parts.cuts.append(...meta.notes.map((each) => make('p', {class: 'cut'}, each)));
  for (const each of parts.tools.querySelectorAll('button'))
    each.addEventListener('click', actions[each.dataset.action]);
  parts.find.addEventListener('keydown', ({key}) => key === 'Enter' && find(parts.find.value));
}

// Sets the theme's colours as CSS variables.
function applyTheme() {
  const {style} = document.documentElement;

  for (const [role, [ink, ground]] of Object.entries(meta.themes[themeNow()].roles)) {
    style.setProperty(`--${role}`, ink);
    style.setProperty(`--${role}-bg`, ground);
  }
  askFrame();
}

// Draws in light colours for printing; '' restores the theme.
function printed(className) {
  document.documentElement.className = className;
  applyTheme();
  redraw();
}

// ---- labels ----

// The text beside a label: the value at the cursor, or the busy share of the window.
function shareText(line) {
  const {t0, t1} = state.view;

  if (line.kind === 'counter') {
    const value = line.samples.value[sampleAt(line.samples, state.cursor)];

    return value === undefined ? '' : formatSample(value, line);
  }
  if (line.isGroup)
    return isDevice(line) && state.folded.has(line.track)
      ? formatPercent(measureDevice(line, t0, t1).busy, t1 - t0) : '';
  if (!hasRows(line))
    return '';
  const at = measureLine(line, t0, t1);

  return at.busy || !at.events ? formatPercent(at.busy, at.t1 - at.t0) : `${at.events} ev`;
}

// A header folds; a long name is cut to its last part.
function labelOf(line, row) {
  const {isGroup} = line;
  const name = isGroup && line.label.length > 28 ? line.label.split(' · ').pop() : line.label;
  const label = button(make('span', {class: 'name'}, name), () => {
    state.row = row;
    if (isGroup)
      fold(line);
    else
      changed('row');
  }, {title: line.label, tabindex: -1,
    'aria-expanded': isGroup ? !state.folded.has(line.track) : undefined});

  label.append(make('span', {class: 'share'}));
  return make('div', {role: 'listitem'}, label);
}

function rebuildLabels() {
  const hasFocus = parts.labels.contains(document.activeElement);

  parts.labels.replaceChildren(...state.shown.map(labelOf));
  parts.scroller.style.setProperty('--rows', state.shown.length);
  updateLabels();
  if (hasFocus)
    parts.labels.querySelector('[tabindex="0"]').focus();
}

// Updates the visible rows only.
function updateLabels() {
  const first = Math.floor(parts.scroller.scrollTop / ROW);
  const end = first + Math.ceil(parts.rows.clientHeight / ROW) + 1;

  [...parts.labels.children].forEach(({firstChild: label}, row) => {
    const isCurrent = row === state.row;

    if (row >= first && row < end)
      label.lastChild.textContent = shareText(state.shown[row]);
    if (isCurrent !== (label.tabIndex === 0)) {
      label.setAttribute('aria-current', isCurrent);
      label.tabIndex = isCurrent ? 0 : -1;
    }
  });
}

// Draws at once: the old canvas would be stretched.
function redraw() {
  updateLabels();
  draw();
}

// Scrolls the row with the cursor into view; a focus on the labels follows.
function revealRow() {
  const {scroller, rows, labels} = parts;
  const top = state.row * ROW;

  scroller.scrollTop = clamp(scroller.scrollTop, top + ROW - rows.clientHeight, top);
  updateLabels();
  if (labels.contains(document.activeElement))
    labels.children[state.row].firstChild.focus({preventScroll: true});
}

// One line about the event or row, also for screen readers.
function statusText() {
  const {event} = state;
  const line = currentLine();
  const texts = event ? [event.title.brief, formatDuration(event.end - event.start),
    when(event.start), event.line.label] : line ? [line.label, shareText(line), when(state.cursor)]
    : [];

  return texts.filter(Boolean).join(' · ');
}

// ---- what follows a change ----

let settling = 0;

// Does the work that can wait until keys and wheel pause.
function settle() {
  history.replaceState(null, '', `#${fragment()}`);
  if (state.pane === 'selection' || (state.pane === 'details' && !state.event))
    drawPane();
  updateLabels();
}

// Follows a change of view, row, rows, event or pane.
function changed(what) {
  const {t0, t1} = state.view;

  if (what === 'rows' || state.shown.length !== parts.labels.children.length)
    rebuildLabels();
  if (what === 'row' || what === 'event')
    revealRow();
  if (what === 'pane' || what === 'event')
    drawPane();
  parts.when.textContent = `${when(t0)} … ${when(t1)}`;
  parts.much.textContent = `${formatDuration(t1 - t0)} of ${formatDuration(meta.length)}`;
  parts.status.textContent = statusText();
  askFrame();
  clearTimeout(settling);
  settling = setTimeout(settle, 80);
}

// Keys work outside fields. Keys that scroll or move the focus work only in the timeline; arrows
// also on its labels.
function takeKey(event) {
  const {target, key} = event;
  const isField = target.matches('input');
  const isInside = target === parts.timeline || target === document.body ||
    (parts.labels.contains(target) && /^Arrow/.test(key));
  const name = actionOf(event);

  if (isField && key === 'Escape')
    parts.timeline.focus();
  if (!name || isField || event.metaKey || (!isInside && /^(Tab|Enter| |Arrow.*|Home|End|Page.*)$/
    .test(key)) || (key === 'Tab' && target !== parts.timeline))
    return;
  event.preventDefault();
  actions[name]();
}

function listen() {
  listenToPointers();
  parts.scroller.addEventListener('scroll', () => {
    askFrame();
    updateLabels();
  });
  document.addEventListener('keydown', takeKey);
  new ResizeObserver(redraw).observe(parts.rows);
  matchMedia('(prefers-color-scheme: light)').addEventListener('change', applyTheme);
  window.addEventListener('beforeprint', () => printed('light'));
  window.addEventListener('afterprint', () => printed(''));
}

async function start() {
  prepare(unpack(await inflate(bytesOfBase64(document.getElementById('data').textContent))));
  begin();
  layoutPage();
  addPanes();
  restore(location.hash.slice(1));
  applyTheme();
  listen();
  changed('event');
  // For tests and the browser's console.
  window.nsyscope = {meta, state, actions, show, zoom, pan, showPane, draw, measureLine,
    measureDevice, cutOf};
}

if (typeof document !== 'undefined')
  start().catch((error) => document.body.append(`This browser cannot show the page: ${error}`));
