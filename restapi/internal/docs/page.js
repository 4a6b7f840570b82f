// Shows openapi.json of the server that sent this page. A token stays in the
// memory of the page: nothing is stored, and nothing is asked of another server.
"use strict";

window.ui = SwaggerUIBundle({
  url: new URL("openapi.json", document.baseURI).href,
  dom_id: "#page",
  presets: [SwaggerUIBundle.presets.apis],
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
