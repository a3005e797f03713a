/** Routes: a method and the template of a path, such as `GET /v1/audits/{id}`. */

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
export type Route = `${Method} /${string}`;

export const methodOf = (operation: { route: Route }): Method =>
  operation.route.slice(0, operation.route.indexOf(" ")) as Method;

export const pathOf = (operation: { route: Route }): string =>
  operation.route.slice(operation.route.indexOf(" ") + 1);
