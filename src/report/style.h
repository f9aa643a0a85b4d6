#pragma once

#include <string_view>

// How pages and plots look. The eight colours of the series can be told apart by the colour-blind
// (after Okabe and Ito); those of the dark page are lighter.

namespace memmatch::report {

inline constexpr int kColors = 8;

inline constexpr std::string_view kStyle = R"css(
:root {
  --back: #fff; --box: #f6f7f9; --text: #1c2430; --soft: #5c6675; --line: #d9dee5; --mark: #e7f3ea;
  --c0: #0072b2; --c1: #d55e00; --c2: #009e73; --c3: #aa4499;
  --c4: #b58900; --c5: #2aa1c0; --c6: #882255; --c7: #555555;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #14181e; --box: #1c222a; --text: #e3e8ee; --soft: #9aa6b4; --line: #323b47;
    --mark: #1f3a2b;
    --c0: #56b4e9; --c1: #f28e4c; --c2: #3ecf9f; --c3: #dd8fc7;
    --c4: #f0d04a; --c5: #7fd6e8; --c6: #e07a9b; --c7: #bbbbbb;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif; }
main { max-width: 1120px; margin: 0 auto; padding: 1.2rem 1rem 3rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 2rem 0 .6rem; }
.summary { color: var(--soft); margin: .3rem 0 0; }
.tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(8.5rem, 1fr)); gap: .6rem;
  margin: 0; }
.tiles div { background: var(--box); border-radius: .5rem; padding: .6rem .8rem; display: flex;
  flex-direction: column-reverse; justify-content: flex-end; }
.tiles dt { color: var(--soft); font-size: .85rem; }
.tiles dd { margin: 0; font-size: 1.35rem; font-variant-numeric: tabular-nums; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr));
  gap: 1rem; }
figure { margin: 0; background: var(--box); border-radius: .5rem; padding: .7rem .8rem .5rem; }
figcaption b { font-weight: 600; }
.legend { display: flex; flex-wrap: wrap; gap: 0 1rem; font-size: .85rem; color: var(--soft);
  min-height: 1.3rem; }
.legend i { display: inline-block; width: 1.3em; vertical-align: .25em; margin-right: .4em;
  border-top: 3px solid; }
.legend i.dashed { border-top: 2px dashed; }
.note { font-size: .85rem; color: var(--soft); margin: .2rem 0 0; }
.caption { color: var(--soft); margin: 0 0 .3rem; }
svg { display: block; width: 100%; height: auto; margin-top: .3rem; }
svg text { fill: var(--soft); font-size: 12px; font-variant-numeric: tabular-nums; }
.grid { stroke: var(--line); stroke-width: 1; }
.axis { stroke: var(--soft); stroke-width: 1; }
.reference { stroke: var(--soft); stroke-width: 1; stroke-dasharray: 2 3; }
.curve { fill: none; stroke: currentColor; stroke-width: 2; stroke-linejoin: round; }
.curve.dashed { stroke-width: 1; stroke-dasharray: 5 4; }
.dot { fill: currentColor; }
.column rect { fill: none; pointer-events: all; }
.column line { stroke: var(--soft); stroke-width: 1; visibility: hidden; }
.column:hover line { visibility: visible; }
.c0 { color: var(--c0); } .c1 { color: var(--c1); } .c2 { color: var(--c2); }
.c3 { color: var(--c3); } .c4 { color: var(--c4); } .c5 { color: var(--c5); }
.c6 { color: var(--c6); } .c7 { color: var(--c7); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .93rem; font-variant-numeric: tabular-nums; margin: 0 0 1rem; }
th, td { padding: .25rem .45rem; border-bottom: 1px solid var(--line); text-align: right;
  white-space: nowrap; }
th { font-weight: 500; }
thead th { color: var(--soft); vertical-align: bottom; white-space: normal; }
th:first-child { text-align: left; }
tbody th { white-space: normal; min-width: 3.2rem; }
.marked { background: var(--mark); }
pre { background: var(--box); border-radius: .5rem; padding: .8rem 1rem; margin: 0;
  font: 13px/1.45 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
@media (max-width: 30rem) { svg text { font-size: 14px; } }
@media print { figure, pre, tr { break-inside: avoid; } }
)css";

}  // namespace memmatch::report
