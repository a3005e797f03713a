/** The security headers of every reply, computed once by helmet. */
import helmet from "helmet";

function collected(csp: boolean): readonly string[] {
  const pairs: string[] = [];
  const response = {
    setHeader: (name: string, value: string) => pairs.push(name, value),
    removeHeader: () => {},
  };
  const directives = {
    defaultSrc: ["'none'"],
    frameAncestors: ["'none'"],
    upgradeInsecureRequests: null,
  };
  const middleware = helmet({
    contentSecurityPolicy: csp ? { useDefaults: false, directives } : false,
    strictTransportSecurity: false,
  });
  middleware({} as never, response as never, () => {});
  return pairs;
}

/** Name, value, name, value …: as `writeHead` takes them. HSTS is left out, since this server speaks plain HTTP. */
export const apiHeaders: readonly string[] = collected(true);
