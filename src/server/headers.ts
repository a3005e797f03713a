/** The security headers of every reply, computed once by helmet. */
import helmet from "helmet";

function collected(): readonly string[] {
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
    contentSecurityPolicy: { useDefaults: false, directives },
    strictTransportSecurity: false,
    // These are about how a browser shows a page, and no reply of the API is one.
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });
  middleware({} as never, response as never, () => {});
  return pairs;
}

/** Name, value, name, value …: as `writeHead` takes them. HSTS is left out, since this server speaks plain HTTP. */
export const apiHeaders: readonly string[] = collected();
