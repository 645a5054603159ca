// <crowd-scene scene="seek"></crowd-scene> shows a scene in any page that loads this module. Attributes:
// scene, agents, seed, set (a parameter, such as "seek.gain=2"), text (a whole scene file), and sliders (words in the
// names or descriptions of the parameters that get sliders, such as "seek | mass").

const play = new URL("play/", import.meta.url);

class CrowdScene extends HTMLElement {
  connectedCallback() {
    const link = new URLSearchParams();
    for (const name of ["scene", "agents", "seed", "set", "text"]) if (this.hasAttribute(name)) link.append(name, this.getAttribute(name));
    const frame = document.createElement("iframe");
    frame.src = `${play}?embedded=${encodeURIComponent(this.getAttribute("sliders") ?? "")}#${link}`;
    frame.title = `${link.get("scene") ?? "A crowd"}, live`;
    frame.loading = "lazy";
    frame.allow = "clipboard-write";
    frame.style = "display: block; width: 100%; height: 100%; border: 0";
    if (getComputedStyle(this).display === "inline") this.style.display = "block";
    const inside = this.attachShadow({ mode: "open" });
    if (this.clientHeight < 50) this.style.height = "420px"; // before the frame comes, which has a height of its own
    inside.append(frame);
  }
}

customElements.define("crowd-scene", CrowdScene);
