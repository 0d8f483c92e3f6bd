// Reads the packed data of the page: base64 of DEFLATE, then a description as JSON with numbers
// beside it.

// All browsers have had this since 2023.
async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));

  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function bytesOfBase64(text) {
  const binary = atob(text.trim());
  const bytes = new Uint8Array(binary.length);

  for (let i = 0; i < binary.length; i++)
    bytes[i] = binary.charCodeAt(i);
  return bytes;
}

// Reads LEB128 numbers one after the other.
class Reader {
  constructor(bytes, at) {
    this.bytes = bytes;
    this.at = at;
  }

  uint() {
    let value = 0;
    let scale = 1;
    let byte = this.bytes[this.at++];

    while (byte > 127) {
      value += (byte - 128) * scale;
      scale *= 128;
      byte = this.bytes[this.at++];
    }
    return value + byte * scale;
  }

  // Zigzag: 0, -1, 1, -2 ...
  int() {
    const value = this.uint();

    return value % 2 ? -(value + 1) / 2 : value / 2;
  }

  uints(n) {
    return Float64Array.from({length: n}, () => this.uint());
  }

  // Each as the difference to the one before.
  sums(n) {
    let sum = 0;

    return Float64Array.from({length: n}, () => sum += this.int());
  }
}

// The events of a lane, by start. They never overlap, so the ends ascend too.
function readEvents(bytes, [at, n]) {
  const reader = new Reader(bytes, at);
  const start = reader.sums(n);
  const end = reader.uints(n);
  const before = new Float64Array(n + 1);

  for (let i = 0; i < n; i++) {
    before[i + 1] = before[i] + end[i];
    end[i] += start[i];
  }
  return {n, start, end, before, title: reader.uints(n), link: reader.sums(n),
    source: reader.sums(n), shape: reader.uints(n)};
}

// The exact sums of a lane in columns of the whole.
function readColumns(bytes, [at, n]) {
  const reader = new Reader(bytes, at);
  const busy = reader.uints(n);
  const events = reader.uints(n);
  const title = reader.uints(n).map((each) => each - 1);

  return {busy, title, starts: events.map((each) => Math.floor(each / 2)),
    enters: events.map((each) => each % 2),
    longest: title.map((each) => each < 0 ? 0 : reader.uint())};
}

// Disjoint ascending intervals, with the time covered before each.
function readCover(bytes, [at, n]) {
  const reader = new Reader(bytes, at);
  const cover = {n, start: new Float64Array(n), end: new Float64Array(n),
    before: new Float64Array(n + 1)};

  for (let i = 0, t = 0; i < n; i++) {
    cover.start[i] = t + reader.int();
    t = cover.end[i] = cover.start[i] + reader.uint();
    cover.before[i + 1] = cover.before[i] + t - cover.start[i];
  }
  return cover;
}

function readSums(bytes, [at, n]) {
  return new Reader(bytes, at).uints(n);
}

function readSamples(bytes, [at, n]) {
  const reader = new Reader(bytes, at);

  return {n, time: reader.sums(n), value: Float64Array.from({length: n}, () => reader.int())};
}

// The whole description, with typed arrays in place of the lists.
function unpack(bytes) {
  const length = new DataView(bytes.buffer).getUint32(0, true);
  const meta = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  const packed = bytes.subarray(4 + length);
  const readers = {events: readEvents, columns: readColumns, samples: readSamples};

  for (const line of meta.lines) {
    for (const [key, read] of Object.entries(readers))
      if (line[key])
        line[key] = read(packed, line[key]);
    for (const [key, read] of [['covers', readCover], ['coverColumns', readSums]])
      for (const name of Object.keys(line[key] || {}))
        line[key][name] = read(packed, line[key][name]);
  }
  return meta;
}
