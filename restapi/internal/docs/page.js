// Shows openapi.json of the server that sent this page. A token stays in the
// memory of the page: nothing is stored, and nothing is asked of another server.
"use strict";

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
