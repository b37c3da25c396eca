# What the checks of pages share: headless Chromium, screenshots, the use of tables, and what was refused. Sourced; they
# set `folder`, for what is thrown away, `shots`, for screenshots, and `browser`.
# shellcheck shell=bash

failures=0 width=1200
refuse() {
  printf 'FAILED  %s\n' "$*"
  failures=$((failures + 1))
}

# Ends the check where there is no browser.
need_browser() {
  if ! command -v "$browser" >/dev/null; then
    complain "there is no $browser: apt-get install chromium"
    exit 69
  fi
}

# Opens a page, in a window of the size $window; what its console says goes to $folder/console.
open_page() {
  local ended=0
  timeout 120 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size="${window:-1200,3000}" \
    --user-data-dir="$folder/profile" --enable-logging=stderr "$@" 2>"$folder/log" || ended=$?
  grep ':CONSOLE' "$folder/log" >"$folder/console" || true
  return "$ended"
}

# Takes a screenshot: shoot NAME SCHEME FILE. A scheme of colours is 1 for light and 0 for dark,
# in the order of Blink's own list.
shoot() {
  local shot=$shots/$1.png
  rm -f "$shot"
  if ! open_page --blink-settings=preferredColorScheme="$2" --screenshot="$shot" "file://$(in_window "$3")" >/dev/null; then
    refuse "$1: the browser failed: $(tail -n 1 "$folder/log")"
  elif [[ -s $folder/console ]]; then
    refuse "$1: the console says: $(head -n 1 "$folder/console")"
  elif [[ ! -s $shot ]]; then
    refuse "$1: no screenshot"
  else
    printf 'ok      %s\n' "$shot"
  fi
}

# Takes screenshots in both schemes: shoot_both NAME FILE.
shoot_both() {
  shoot "$1-light" 1 "$2"
  shoot "$1-dark" 0 "$2"
  if [[ -s $shots/$1-light.png ]] && cmp -s "$shots/$1-light.png" "$shots/$1-dark.png"; then
    refuse "$1: light and dark look alike"
  fi
}

# A page in a window of $width pixels: the page itself, or one that holds it in a frame where a browser's windows are
# not so narrow. What the script of the held one has written down is written there, too.
in_window() {
  local frame=$folder/frame-$width.html
  if ((width >= 500)); then
    printf '%s' "$1"
    return
  fi
  cat >"$frame" <<END
<!DOCTYPE html><meta charset="utf-8"><meta name="color-scheme" content="light dark"><body style="margin: 0">
<script>
addEventListener('message', event => Object.assign(document.documentElement.dataset, event.data));
</script>
<iframe src="file://$1" style="border: 0; height: 100vh; width: ${width}px"></iframe>
END
  printf '%s' "$frame"
}

# Writes a copy of a page with the script behind it that standard input has: the page's policy would not let another one
# run.
with_script() { { sed '/http-equiv="Content-Security-Policy"/d' "$1"; cat; } >"$2"; }

# What a page that was used has written down in an attribute of its root: used FILE ATTRIBUTE.
used() {
  open_page --dump-dom "file://$(in_window "$1")" >"$folder/dom" || true
  sed -n "s/.*data-$2=\"\([^\"]*\)\".*/\1/p" "$folder/dom" | head -n 1
}

# The script that sorts and searches a page's tables, and then looks at its plots with everything unfolded.
use_of_tables() {
  cat <<'END'
<script>
{
  const failed = [];
  const check = (what, holds) => { if (!holds) failed.push(what); };
  check(`it is ${document.documentElement.scrollWidth} pixels wide`,
    document.documentElement.scrollWidth <= document.documentElement.clientWidth);
  for (const table of document.querySelectorAll('table.rows')) {
    const first = table.tHead.rows[0].cells[0];
    check('a first column moves', getComputedStyle(first).position === 'sticky');
    const names = () => [...table.tBodies].map(body => body.rows[0].cells[0].textContent);
    const sorted = names().sort((left, right) => left.localeCompare(right, 'en', {numeric: true}));
    first.querySelector('button').click();
    check('a click does not sort', names().join() === sorted.join() && first.getAttribute('aria-sort') === 'ascending');
    first.querySelector('button').click();
    check('a second click does not sort the other way', names().join() === sorted.reverse().join());
  }
  const field = document.querySelector('.search input');
  const look = text => { field.value = text; field.dispatchEvent(new Event('input', {bubbles: true})); };
  const rows = [...document.querySelectorAll('table.rows tbody')];
  look('no such row');
  check('search finds what is not there', rows.every(row => row.hidden));
  look((rows[0]?.textContent ?? '').trim().split(/\s/)[0].toUpperCase());
  check('search does not find a row', rows.length === 0 || !rows[0].hidden);
  look('');
  check('rows stay hidden', rows.every(row => !row.hidden));
  document.documentElement.setAttribute('data-use', failed.length ? failed[0] : `${rows.length} rows`);
  for (const fold of document.querySelectorAll('details')) fold.open = true;
  const plots = [...document.querySelectorAll('svg')];
  const bad = plots.filter(plot => {
    const box = plot.getBoundingClientRect();
    return box.width < 50 || box.height < 20 || !plot.querySelector('circle, polyline, polygon');
  });
  document.documentElement.setAttribute('data-plots', `${plots.length} plots, ${bad.length} of them empty`);
  parent.postMessage({...document.documentElement.dataset}, '*');
}
</script>
END
}

# Uses the tables of a page, and counts its plots: use_tables NAME FILE COPY.
use_tables() {
  local drawn sorted
  if ! grep -q 'http-equiv="Content-Security-Policy"' "$2"; then refuse "$1: it has no policy"; fi
  use_of_tables | with_script "$2" "$3"
  drawn=$(used "$3" plots)
  sorted=$(sed -n 's/.*data-use="\([^"]*\)".*/\1/p' "$folder/dom" | head -n 1)
  case $drawn in
    *', 0 of them empty') printf 'ok      %s: %s\n' "$1" "$drawn" ;;
    *) refuse "$1: ${drawn:-its plots could not be counted}" ;;
  esac
  case $sorted in
    *[0-9]' rows') printf 'ok      %s: sorts and searches %s\n' "$1" "$sorted" ;;
    *) refuse "$1: ${sorted:-it could not be used}" ;;
  esac
}
