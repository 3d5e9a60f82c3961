/** The style of `/`, inline and allowed by its hash. */
export const LANDING_STYLE = `
:root{color-scheme:light dark;--paper:#f7f9f8;--card:#fff;--ink:#17282a;--soft:#4b6164;--line:#d5dfde;--accent:#0f5c63;--on-accent:#fff;--code:#eef4f3}
@media (prefers-color-scheme:dark){:root{--paper:#101718;--card:#182223;--ink:#e6efee;--soft:#a3b8b7;--line:#2b3a3b;--accent:#7fd0c8;--on-accent:#0b1f21;--code:#0f1819}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:17px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:46rem;margin:0 auto;padding:clamp(2rem,8vh,5.5rem) 1.25rem 3rem}
header{display:flex;gap:1rem;align-items:center}
header img{width:3rem;height:3rem;flex:none}
h1{font-size:clamp(1.9rem,5vw,2.5rem);line-height:1.15;letter-spacing:-.02em;margin:0;overflow-wrap:anywhere}
h2{font-size:1.15rem;margin:2.75rem 0 .35rem}
h3{font-size:1rem;margin:0}
p{margin:.25rem 0 0;color:var(--soft)}
.lead{font-size:1.15rem;margin-top:1.1rem}
.links{display:flex;flex-wrap:wrap;gap:.75rem;margin-top:1.6rem}
.links a{padding:.55rem 1.1rem;border-radius:.5rem;border:1px solid var(--line);color:var(--ink);text-decoration:none;font-weight:600;background:var(--card)}
.links a:first-child{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
.links a:hover{border-color:var(--accent)}
a{color:var(--accent)}
a:focus-visible,button:focus-visible,input:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
ul{list-style:none;margin:1rem 0 0;padding:0;display:grid;grid-template-columns:minmax(0,1fr);gap:.9rem}
li{background:var(--card);border:1px solid var(--line);border-radius:.75rem;padding:1rem 1.15rem}
code{font:.9em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
.copyable{display:flex;gap:.5rem;align-items:stretch;margin-top:.7rem}
.copyable code{flex:1;min-width:0;overflow-x:auto;white-space:nowrap;background:var(--code);border:1px solid var(--line);border-radius:.45rem;padding:.45rem .7rem}
button{font:inherit;font-size:.9rem;font-weight:600;color:var(--ink);background:var(--card);border:1px solid var(--line);border-radius:.45rem;padding:.4rem .9rem;min-width:5rem;cursor:pointer}
button:hover{border-color:var(--accent)}
form{display:flex;flex-wrap:wrap;gap:.5rem;margin-top:1rem}
form[hidden]{display:none}
form label{flex-basis:100%;font-weight:600}
input{flex:1;min-width:12rem;font:inherit;color:var(--ink);background:var(--card);border:1px solid var(--line);border-radius:.45rem;padding:.45rem .7rem}
dl{margin:1rem 0 0;display:grid;gap:.7rem}
dt{font-weight:600}
dd{margin:0;color:var(--soft)}
dd code{color:var(--ink)}
footer{margin-top:3.5rem;padding-top:1.1rem;border-top:1px solid var(--line);color:var(--soft);font-size:.9rem}
`;
