/** The security headers of every reply, computed once by helmet. */
import helmet from "helmet";

function collectHeaders(): readonly string[] {
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
    // The other headers concern how a browser shows a page, and API replies are not pages.
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

/** Names and values, alternating, as `writeHead` takes them. HSTS is left out, since the server speaks plain HTTP. */
export const apiHeaders: readonly string[] = collectHeaders();
