// Runs before the first paint so that a reader of the light theme never sees a dark flash. Own file: the page allows no inline script.
try {
  if (localStorage.getItem('theme') === 'light') document.documentElement.dataset.theme = 'light';
} catch {
  // Storage may be forbidden; the dark default stands.
}
