/** Returns the first call for a new user, as the first screen, the start page and the README show it. */
export const firstCall = (baseUrl: string, key: string): string =>
  `curl ${baseUrl}/v1/phone/verify/start -H "X-Service-Key: ${key}" -H "Content-Type: application/json" -d '{"phone":"08031234567"}'`;
