import { controlRoutes } from "../control-routes.js";
import { type Assumption, facts } from "./assumption.js";

/** Interface: "Real-time sessions", "File tools", "Website audits and domains" and "Media scans". */
export const productRows = [
  {
    id: "sessions",
    question: "Which statuses does a session have, and what are its transitions?",
    default: facts(
      "`active`, `completed` and `expired`.",
      "The first token of a room opens its session as `active`.",
      "The move `end` completes it, as the end of the call would.",
      "A token is valid for 60 minutes; a session that is still active when its last token expires becomes `expired`.",
    ),
    reason:
      "`completed` is the only observed status; a running session and one that nobody ended need others.",
  },
  {
    id: "sessions.rooms",
    question: "When does a token belong to an existing session, and when does it open a new one?",
    default: facts(
      "While a room's session is active, every further token for the room name belongs to it.",
      "A token of another type for such a room gets 409 `invalid_state`.",
      "Once the session is completed or expired, the next token for the name opens a new session of any type.",
      "An omitted room name is generated: `room_` and 12 characters.",
    ),
    reason:
      "The interface says that the first token for a room name creates the room, and a room has one price.",
  },
  {
    id: "sessions.billing",
    question: "When is a session billed, and for what?",
    default: facts(
      "Prices per participant-minute: video 5, voice 2, stream 8.",
      "A session is billed when it ends: minutes × participants × price, with minutes rounded up. An expired session costs nothing.",
      `\`${controlRoutes.moveRecord.replace("{move}", "end")} {minutes?, participants?}\` sets how long and by how many participants it was used.`,
      "By default, minutes are the time since it was opened, and participants are the distinct identities that have a token.",
      "Usage is billed in full, even if the wallet becomes negative.",
      "Tokens are free; a wallet that cannot pay for one participant-minute gets 402 `insufficient_balance`.",
      "Until the session ends, `duration_seconds` and `cost` are 0.",
    ),
    reason: "The cost of a call is unknown until it ends, and calls are commonly billed by started minutes.",
  },
  {
    id: "sessions.token",
    question: "What is the token of a session?",
    default: facts(
      "A LiveKit access token: a JWT (HS256) with `iss` (the media server's API key), `sub` (the identity), `name` (the display name), `nbf` and `exp`.",
      "Its `video` grants let a publisher publish, subscribe and send data, and a viewer subscribe; a publisher of a voice room can only publish the microphone.",
      "With `livekit.url`, `.key` and `.secret` in the config, it is valid for your own media server; the default key and secret are those of LiveKit's development mode.",
      "Its times are those of the account's clock, so a media server, which uses real time, accepts it as long as that clock has not been moved.",
      "Room name, identity and display name have at most 256 characters.",
    ),
    reason: "Room, identity, publisher, viewer and a secure websocket URL are terms of LiveKit.",
  },
  {
    id: "audits",
    question:
      "Which categories, severities and grades does an audit have, and how long does a deep audit take?",
    default: facts(
      "Categories: security, performance, seo, accessibility, best_practices.",
      "Severities: info, warning, critical.",
      "Grades: A from 90, B from 80, C from 70, D from 60, otherwise F.",
      "A deep audit takes 4 minutes; its completion email arrives in the inbox.",
      "While it is pending, and after it has failed, it has no findings, and score and grade are null.",
      "The scores of `lighthouse` are from 0 to 100, and `ai_signals.signals` are texts.",
      "`tier` is `deep`, `standard` or omitted, which is `standard`; anything else gets 400 `validation_error`.",
      "`github_repo_url` is an https URL of any host, or `git@host:owner/name`; it is not fetched.",
    ),
    reason: "Four of the categories are the documented lighthouse keys, and the grades are school grades.",
  },
  {
    id: "audits.failed",
    question: "Is a deep audit that fails billed?",
    default: "Yes; `cost` stays its price.",
    reason: "The interface says that deep audits are always billed.",
    switch: {
      default: "billed",
      alternatives: { refunded: "its price is refunded when it fails, and its `cost` is 0 from then on" },
    },
  },
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
  {
    id: "audits.sites",
    question: "Which sites can be audited, and where do the findings come from?",
    default: facts(
      "`example.com`, `http://example.com:8080/path?query` and the like, up to 2,048 characters. The default scheme is https; a fragment and a trailing dot of the host are dropped.",
      "Single-label names other than localhost, and URLs with a user name or password, are refused.",
      "The site is not contacted: the URL selects findings of `fixtures/audit-findings.json`, always the same ones.",
      "A critical finding takes 22 points off its category, a warning 9, an info 2; the score is the mean of the categories, with security counted twice.",
      "`github_repo_url` is used by deep audits only; the completion email goes to `{account}@standin.test`.",
    ),
    reason:
      "Without a network, a sandbox still has to return a plausible audit, and the same one in every run.",
  },
  {
    id: "media.verdicts",
    question:
      "Which statuses does a media scan have, and which verdicts and severities besides the observed ones?",
    default: facts(
      "A scan is synchronous and always has the status `completed`.",
      "The additional verdict is `likely_edited`; the severities are `weak`, `moderate` and `strong`.",
    ),
    reason: "A scan also detects doctoring, and strong is the next step after moderate.",
  },
  {
    id: "media.signals",
    question: "Which signals does a scan have, and how do they lead to the verdict?",
    default: facts(
      "Signals are measured: metadata, dimensions, noise and compression of an image; sentences, words and phrases of a text; the container of a video.",
      "Each supports a verdict with weight 1 (weak), 2 (moderate) or 4 (strong); a verdict needs a weight of 3, otherwise it is `inconclusive`.",
      "An outcome or file name that requests a verdict adds a classifier signal, whose `measured` names it.",
      "A text is trimmed before it is counted and scanned.",
      "`measured` is a text. Characters of a text are Unicode code points, for its minimum of 800 as well.",
    ),
    reason: "The interface shows signals and no percentage, and a sandbox has no classifier.",
  },
  {
    id: "media.images",
    question: "Which images can be scanned?",
    default: facts(
      "PNG, JPEG, WebP, GIF, AVIF, HEIC and BMP of up to 200 megapixels.",
      "Above 50 megapixels, or if the pixels cannot be decoded, only the metadata is used; a damaged picture still gets a result.",
    ),
    reason: "Phones and browsers produce these formats, and a scan uses what it can read.",
  },
  {
    id: "media.videos",
    question: "Which videos can be scanned?",
    default: facts(
      "MP4, MOV, 3GP, WebM, Matroska and AVI files whose container states a duration; others get 422 `file_unreadable`.",
      "More than 300 seconds get `video_too_long`. A file whose index states a duration is accepted even if frames are missing.",
      "A `frames` that is not an integer gets `validation_error`; one outside 4 to 30 gets `frames_out_of_range`.",
    ),
    reason: "The limit of five minutes can only be checked if the duration is known.",
  },
  {
    id: "logo.colours",
    question: "Which notations of a hex colour does a logo accept?",
    default:
      "`#RRGGBB` and the short form `#RGB`, in upper or lower case; anything else gets 400 `validation_error`.",
    reason: "These are the two opaque notations of CSS.",
  },
  {
    id: "files.store_assets_limit",
    question: "How large may a store-assets upload be?",
    default: "At most 15 MB.",
    reason: "It is the documented limit of the other image tool, background removal.",
  },
  {
    id: "files.background",
    question: "What is the reply to a picture whose background cannot be told from its object?",
    default: facts(
      "200 with the best cut; a picture without any plain background is returned whole.",
      "The header `X-Sandbox-Cut-Confidence`, from 0.00 to 1.00, says how sure the cut is. Below 0.50 it needs to be looked at.",
      "It is the share of the picture's top and sides that is plain, less up to half for noise.",
      "It is 0.00 for a picture that is returned whole, and 1.00 for one that already has transparent parts.",
      "With an installed model, it is the share of pixels that the model finds clearly transparent or opaque.",
    ),
    reason:
      "The interface promises a PNG and no refusal; a header tells a good cut from a guess without changing the reply.",
    switch: {
      default: "noted",
      alternatives: { refused: "a picture with a confidence below 0.50 gets 422 `file_unreadable`" },
    },
  },
] as const satisfies readonly Assumption[];
