// Formats times, counts and shares like the terminal.

// Three significant digits, rounded half up; all digits from 1000 on.
function formatRatio(part, whole) {
  const digits = (decimals) => Math.floor((part * 10 ** decimals * 2 + whole) / (whole * 2));
  const decimals = [2, 1].find((each) => digits(each) < 1000) || 0;

  return (digits(decimals) / 10 ** decimals).toFixed(decimals);
}

function formatDuration(ns) {
  const n = Math.abs(ns);
  const [unit, whole] = n >= 999500000 ? ['s', 1e9] : n >= 999500 ? ['ms', 1e6]
    : n >= 1000 ? ['µs', 1000] : ['ns', 1];

  return `${ns < 0 ? '-' : ''}${whole > 1 ? formatRatio(n, whole) : Math.round(n)} ${unit}`;
}

// Splits a BigInt of ns into whole seconds and nine decimals.
function splitSeconds(t) {
  const digits = String(t < 0n ? -t : t).padStart(10, '0');

  return [`${t < 0n ? '-' : ''}${digits.slice(0, -9)}`, digits.slice(-9)];
}

// A point on the export's clock, exact to the ns: a BigInt, or a value convertible to one.
function formatInstant(t) {
  const [seconds, rest] = splitSeconds(BigInt(t));

  return `${seconds}.${rest.match(/.../g).join(' ')} s`;
}

// A tick, with the decimals that the step needs.
function formatTick(t, step) {
  const [seconds, rest] = splitSeconds(t);
  const decimals = rest.slice(0, Math.max(0, 9 - /0*$/.exec(step)[0].length));

  return `${seconds}${decimals && '.'}${decimals} s`;
}

function formatCount(n) {
  return String(n).replace(/\B(?=(\d{3})+$)/g, ' ');
}

// 100 % only for the whole, 0 % only for nothing.
function formatPercent(part, whole) {
  if (!whole)
    return '-';
  const tenths = Math.floor((part * 2000 + whole) / (whole * 2));

  if (tenths === 0 && part > 0)
    return '<0.1 %';
  return `${((tenths === 1000 && part < whole ? 999 : tenths) / 10).toFixed(1)} %`;
}

function formatBytes(bytes) {
  const names = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];
  const tenths = (i) => Math.floor((bytes * 20 / 1024 ** i + 1) / 2);
  const i = names.findIndex((_, each) => tenths(each) < 10240);

  return i ? `${(tenths(i) / 10).toFixed(1)} ${names[i]}` : `${bytes} B`;
}

// A value of a counter in its unit.
function formatSample(value, line) {
  const prefixes = ['', 'k', 'M', 'G', 'T', 'P', 'E'];
  const isLong = Math.abs(value) >= (line.unit === 'Hz' ? 1000 : 1000000);
  let scaled = value;

  if (line.bytes && value >= 0)
    return formatBytes(value);
  for (; isLong && Math.abs(scaled) >= 999.5; scaled /= 1000)
    prefixes.shift();
  return `${isLong ? Number(scaled.toPrecision(3)) : value} ${prefixes[0]}${line.unit}`.trimEnd();
}
