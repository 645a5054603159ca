// Marks the page before its first paint if another page embeds it.
{
  const sliders = new URLSearchParams(location.search).get("embedded");
  document.documentElement.classList.toggle("embedded", sliders !== null);
  document.documentElement.classList.toggle("tuned", !!sliders);
}
