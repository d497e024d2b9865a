// Cells that were painted faster than the server responded get a history entry each.

document.addEventListener("htmx:beforeHistoryUpdate", ({ detail: { requestConfig } }) => {
  const [, before, painted, after] = requestConfig.path.match(/^(.*\bpaint=)([^&]+)(.*)$/) ?? [];
  const cells = painted?.split(";") ?? [];
  for (let n = 1; n < cells.length; n++) {
    history.pushState({ htmx: true }, "", before + cells.slice(0, n).join(";") + after);
  }
});
