// Marks the page before its first paint: as opening, and as embedded if another page embeds it.
{
  const sliders = new URLSearchParams(location.search).get("embedded");
  document.documentElement.classList.add("opening");
  document.documentElement.classList.toggle("embedded", sliders !== null);
  document.documentElement.classList.toggle("tuned", !!sliders);
}
