// Shows openapi.json of the server that sent this page. A token stays in the
// memory of the page: nothing is stored, and nothing is asked of another server.
"use strict";

// The theme is that of the explorer, which a browser keeps, or that of the system.
const dark = matchMedia("(prefers-color-scheme: dark)");
const paint = () => {
  let own = null;
  try {
    own = localStorage.getItem("semlayer.theme");
  } catch {
    // a browser that keeps nothing
  }
  document.documentElement.classList.toggle("dark-mode", own ? own === "dark" : dark.matches);
};
paint();
dark.addEventListener("change", paint);

// Swagger UI nests links in the buttons of operations, which lead where the button leads, and leaves levels of headings out.
const mend = () => {
  const all = (selector, change) => document.querySelectorAll(selector).forEach(change);
  const name = (selector, label) => all(selector, (part) => part.hasAttribute("aria-label") || part.setAttribute("aria-label", label));
  const level = (selector, n) => all(selector, (title) => title.setAttribute("aria-level", n));
  all(".opblock-summary-control a[href]", (link) => link.removeAttribute("href"));
  level("h3.opblock-tag, .models > h4", "2");
  level(".opblock-body h4", "3");
  level(".opblock-body h5", "4");
  all(".information-container, .scheme-container", (part) => part.setAttribute("role", "region"));
  name(".information-container", "About");
  name(".scheme-container", "Server and token");
  name("#servers", "Server");
  name(".body-param__text", "Body");
  name(".examples-select-element", "Example");
  name(".content-type", "Media type");
  all("pre.microlight", (text) => (text.tabIndex = 0));
};
new MutationObserver(mend).observe(document.getElementById("page"), { childList: true, subtree: true });

// Swagger UI reads the whole document again for each operation that is opened, which takes a second. The
// document refers to its own components only, so that following those references is enough.
const follow = (root, value, within) => {
  if (Array.isArray(value)) return value.map((item) => follow(root, item, within));
  if (value === null || typeof value !== "object") return value;
  const reference = value.$ref;
  if (typeof reference !== "string" || within.includes(reference)) {
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, follow(root, part, within)]));
  }
  const { $ref: _, ...beside } = value;
  const named = reference.slice(2).split("/").reduce((part, key) => part[key.replaceAll("~1", "/").replaceAll("~0", "~")], root);
  return { ...follow(root, named, [...within, reference]), ...follow(root, beside, within), $$ref: reference };
};
const resolving = () => ({
  fn: {
    resolveSubtree: async (root, path) => ({ spec: follow(root, path.reduce((part, key) => part?.[key], root), []), errors: [] }),
  },
});

window.ui = SwaggerUIBundle({
  url: new URL("openapi.json", document.baseURI).href,
  dom_id: "#page",
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [resolving],
  layout: "BaseLayout",
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  displayOperationId: false,
  displayRequestDuration: true,
  persistAuthorization: false,
  queryConfigEnabled: false,
  tryItOutEnabled: true,
  validatorUrl: null,
});
