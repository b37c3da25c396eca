// Has the front end of the Firefox Profiler read a timeline, and compares what it finds with the listing of events.
//
// firefox.mjs CHECKOUT PROFILE EVENTS FOLDER: its own code of the checkout, bundled into the folder by esbuild, upgrades
// the profile to its own version. Packages that it depends on are not needed for that: whatever it takes from them is
// nothing.
import {execFileSync} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import Module from 'node:module';
import {join, resolve} from 'node:path';

const [checkout, profilePath, listing, folder] = process.argv.slice(2);
const source = resolve(checkout, 'src');
const entry = join(folder, 'entry.ts'), bundle = join(folder, 'firefox.cjs');
writeFileSync(entry, `
export {unserializeProfileOfArbitraryFormat} from '${source}/profile-logic/process-profile';
export {PROCESSED_PROFILE_VERSION} from '${source}/app-logic/constants';
`);
execFileSync('esbuild', [entry, '--bundle', '--platform=node', '--format=cjs', `--outfile=${bundle}`, '--log-level=error',
  `--alias:firefox-profiler=${source}`, ...readMissing().map(name => `--external:${name}`)], {stdio: 'inherit'});

/** The packages that the checkout asks for, of which none is installed. */
function readMissing() {
  const about = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'));
  return Object.keys({...about.dependencies, ...about.devDependencies}).flatMap(name => [name, `${name}/*`]);
}

const nothing = new Proxy(function () {}, {
  get: (target, name) =>
    name === Symbol.toPrimitive ? () => '' : name === 'prototype' ? target.prototype : name === '__esModule' ? undefined : nothing,
  apply: () => nothing, construct: () => ({}),
});
const load = Module._load;
Module._load = function (name, ...more) {
  try {
    return load.call(this, name, ...more);
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error;
    return nothing;
  }
};
const {unserializeProfileOfArbitraryFormat: read, PROCESSED_PROFILE_VERSION: current} =
  createRequire(import.meta.url)(bundle);

const text = readFileSync(profilePath, 'utf8');
const written = JSON.parse(text).meta.preprocessedProfileVersion;
const profile = await read(text);
const lines = readFileSync(listing, 'utf8').split('\n').filter(line => line && !line.startsWith('#'))
  .map(line => line.split('\t'));
const failed = [];
const same = (what, found, wanted) => {
  const [one, other] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (one !== other) failed.push(`${what}: ${one}, not ${other}`);
};
same('version', profile.meta.preprocessedProfileVersion, current);
const strings = profile.shared.stringArray;
const threads = [...new Set(lines.map(line => line[1]))].sort();
same('threads', profile.threads.length, Math.max(1, ...threads.map(Number)));
let markers = 0, samples = 0;
for (const [place, thread] of profile.threads.entries()) {
  const own = lines.filter(line => Number(line[1]) === place + 1);
  const names = thread.markers.name.map(name => strings[name]).filter((name, index) =>
     thread.markers.phase[index] === 0);
  same('markers', names, own.map(line => line[2].split(' ')[0]).filter(kind => !['wait', 'resume'].includes(kind)));
  same('samples', thread.samples.length, own.length);
  const heap = own.filter(line => ['allocate', 'free'].includes(line[2]));
  if (!own.some(line => line[2] === 'reallocate')) {
    same('allocations', thread.nativeAllocations?.weight ?? [],
      heap.map(line => line[2] === 'free' ? 0 - Number(line[4]) : Number(line[4])));
  }
  markers += names.length;
  samples += thread.samples.length;
  // Each stack leads to the benchmark, by its own tables, wherever a version keeps them.
  const home = profile.shared.stackTable ? profile.shared : thread;
  const {stackTable, frameTable, funcTable} = home;
  for (const stack of thread.samples.stack) {
    if (stack === null) continue;
    let at = stack;
    for (let steps = 0; steps < 10000; steps++) {
      const offset = stackTable.prefixOffset?.[at];
      const prefix = offset === undefined ? stackTable.prefix[at] : offset ? at - offset : null;
      if (prefix === null) break;
      at = prefix;
    }
    const root = strings[funcTable.name[frameTable.func[stackTable.frame[at]]]];
    if (root !== profile.meta.product) failed.push(`a stack begins with ${root}`);
  }
}
if (failed.length) {
  console.error([...new Set(failed)].slice(0, 20).join('\n'));
  process.exit(1);
}
console.log(`${samples} samples, ${markers} markers (version ${written}, upgraded to ${current})`);
