import { type Assumption, facts } from "../../contract/assumptions/assumption.js";
import { controlRoutes } from "../../contract/control-routes.js";

/** Behaviour that the interface leaves open about domain verification. */
export const domainRows = [
  {
    id: "domains.names",
    question: "Which strings are valid domains?",
    default: facts(
      "Names of two or more labels, in any case, with or without a trailing dot; the reply has them in lower case and ASCII (`Bücher.Example` is `xn--bcher-kva.example`).",
      "A scheme, port, path, IP address or single label is refused with `validation_error`.",
    ),
    reason:
      "The proofs are a DNS record below the name and a file on its host; IP addresses and single labels cannot have both.",
  },
  {
    id: "domains.start",
    question: "What is the reply to starting the verification of a domain again?",
    default: "200 with the existing verification and its token, whether it is pending or verified.",
    reason: "A token that was already published stays valid.",
  },
  {
    id: "domains.check",
    question: "When does a proof count, and what is its method called?",
    default: facts(
      "`dns_txt`: a TXT record of that name, its chunks joined, equals the token.",
      "`well_known_file`: the file equals the token, apart from surrounding white space.",
      "`method` is `dns_txt` if both proofs exist, and null while neither does.",
      "A verified domain stays verified; further checks do not look again.",
    ),
    reason:
      "The interface shows `dns_txt`, which is the name of a field; the other method is named after the other field.",
  },
  {
    id: "domains.lookup",
    question: "Where does a check look for proofs?",
    default: facts(
      `At what \`${controlRoutes.publishDomainProof} {method, value?}\` has published on the account.`,
      "With `domains.lookup` set to `real` in the config: at the DNS and the web, for at most 5 seconds.",
      "The file must have status 200 and at most 4 KB, and come from the same host, redirects included.",
      "A proof that cannot be reached or read counts as missing and is never an error.",
    ),
    reason: "Most tests have no DNS server; the real lookup is for those that do.",
  },
  {
    id: "domains.scope",
    question: "For which hosts are active security tests allowed?",
    default: "For a verified domain and, if it was verified by DNS, for the hosts below it.",
    reason:
      "Who controls a domain's DNS controls all names below it; who can place a file controls that host only.",
  },
] as const satisfies readonly Assumption[];
