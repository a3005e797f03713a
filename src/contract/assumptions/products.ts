import { type Assumption, facts } from "./assumption.js";

/** Interface: "Real-time sessions", "File tools", "Website audits and domains" and "Media scans". */
export const productRows = [
  {
    id: "sessions",
    question: "Which statuses has a session, and what moves it from one to the next?",
    default: facts(
      "`active`, `completed`, `expired`.",
      "The first token of a room opens its session as `active`.",
      "The move `end` completes it, as the end of the call in the room would.",
      "A token lives 60 minutes; a session that nobody has ended when its last token expires is `expired`.",
    ),
    reason:
      "`completed` is the one status observed; a session that runs and one that nobody came to differ from it.",
  },
  {
    id: "sessions.rooms",
    question: "When does a token belong to a session that is there, and when does it open a new one?",
    default: facts(
      "While a room's session is active, every further token for the room name belongs to it.",
      "A token of another type for such a room is 409 `invalid_state`.",
      "Once the session is completed or expired, the next token for the name opens a new one, of any type.",
      "A room name that is left out is made up: `room_` and 12 characters.",
    ),
    reason:
      "The interface says that the first token for a room name creates the room, and a room has one price.",
  },
  {
    id: "sessions.billing",
    question: "When is a session billed, and for what?",
    default: facts(
      "Prices per participant-minute: video 5, voice 2, stream 8.",
      "It is billed when it ends: minutes × participants × price; each begun minute counts whole. An expired one costs nothing.",
      "`POST /_sandbox/records/{id}/moves/end {minutes?, participants?}` says how long and by how many it was used.",
      "Left out, minutes are the time since it was opened, and participants the distinct identities with a token.",
      "What was used is billed whole, even where that takes the wallet below zero.",
      "Tokens are free; a wallet that cannot pay for one participant-minute gets 402 `insufficient_balance`.",
      "Until it ends, `duration_seconds` and `cost` are 0.",
    ),
    reason:
      "Nobody knows what a call costs before it is over, and begun minutes are how calls are commonly billed.",
  },
  {
    id: "sessions.token",
    question: "What is the token of a session?",
    default: facts(
      "A LiveKit access token: HS256, `iss` the media server's API key, `sub` the identity, `name` the display name, `nbf`, `exp`.",
      "Its `video` grants let a publisher send, receive and send data, and a viewer receive; a publisher of voice sends the microphone alone.",
      "`livekit.url`, `.key` and `.secret` of the config make it a token of your own media server; the default key and secret are those of its development mode.",
      "Its times are those of the account's clock: a media server, which looks at real time, takes it while that clock has not been moved.",
      "Room name, identity and display name have at most 256 characters.",
    ),
    reason: "Room, identity, publisher and viewer with a secure websocket URL are the vocabulary of LiveKit.",
  },
  {
    id: "audits",
    question: "Which categories, severities and grades has an audit, and how long does a deep one take?",
    default: facts(
      "Categories: security, performance, seo, accessibility, best_practices.",
      "Severities: info, warning, critical.",
      "A from 90, B from 80, C from 70, D from 60, else F.",
      "A deep audit takes 4 minutes; its completion e-mail lands in the inbox; a failed one is refunded.",
    ),
    reason: "Four of the categories are the documented lighthouse keys, and the grades are those of schools.",
  },
  {
    id: "domains.names",
    question: "Which texts are domains?",
    default: facts(
      "Two labels or more, in any case, with or without a dot at the end; answered in lower case and ASCII (`Bücher.Example` is `xn--bcher-kva.example`).",
      "A scheme, port, path, IP address or single label is refused with `validation_error`.",
    ),
    reason:
      "The proofs are a DNS record below the name and a file on its host, which neither an address nor a label has.",
  },
  {
    id: "domains.start",
    question: "What does a second start of the same domain answer with?",
    default: "200 and the verification that is there, with its token, be it pending or verified.",
    reason: "A token that was published already stays right.",
  },
  {
    id: "domains.check",
    question: "When is a proof the proof, and what is its method called?",
    default: facts(
      "`dns_txt`: a TXT record of that name, its chunks joined, is the token.",
      "`well_known_file`: the file, but for white space around it, is the token.",
      "`dns_txt` where both are there; `method` is null while neither is.",
      "A verified domain stays verified, and a further check looks for nothing.",
    ),
    reason:
      "The interface shows `dns_txt`, the name of a field of the record; the other proof's field has the other name.",
  },
  {
    id: "domains.lookup",
    question: "Where does a check look?",
    default: facts(
      "At what `POST /_sandbox/domains/{domain}/proof {method, value?}` published on the account.",
      "With `domains.lookup` `real` in the config: at the DNS and the web, for 5 seconds in all.",
      "The file must come with 200, have at most 4 KB and stand on the same host, redirects included.",
      "What cannot be reached or read is a proof that is not there, never an error.",
    ),
    reason: "Tests have no DNS of their own, and whoever has one wants to try the real thing.",
  },
  {
    id: "domains.scope",
    question: "For which hosts do active security tests count as allowed?",
    default: "For a verified domain; for those below it too when DNS proved it.",
    reason: "Who writes a domain's DNS has all that is below it; who writes a file has that host.",
  },
  {
    id: "audits.sites",
    question: "Which sites can be audited, and what decides what is found?",
    default: facts(
      "`example.com`, `http://example.com:8080/path?query` and the like, up to 2,048 characters; without a scheme https is meant, a fragment and a dot that ends the host are dropped.",
      "Names of one label beside localhost, user and password are refused.",
      "No site is asked: the findings are drawn by the URL from `fixtures/audit-findings.json`, the same each time.",
      "A critical finding costs its category 22 points, a warning 9, a note 2; the score is the mean of the categories, security counted twice.",
      "`github_repo_url` counts for a deep audit alone; the completion e-mail goes to `{account}@standin.test`.",
    ),
    reason:
      "A sandbox without a network must still give an audit that reads like one, and the same one in every run.",
  },
  {
    id: "media.verdicts",
    question: "Which verdicts and severities has a media scan beside those observed?",
    default: "Verdict `likely_edited` too; severities `weak`, `moderate`, `strong`.",
    reason: "A scan also looks for doctoring, and strong is the step above moderate.",
  },
  {
    id: "media.signals",
    question: "Which signals has a scan, and what makes the verdict?",
    default: facts(
      "Signals are measured: metadata, size, noise and compression of an image; sentences, words and phrases of a text; the container of a video.",
      "Each speaks for a verdict with weight 1 (weak), 2 (moderate) or 4 (strong); a verdict stands from 3 on, otherwise it is `inconclusive`.",
      "An outcome or a file name that asks for a verdict adds a signal of the classifier, which says so in `measured`.",
    ),
    reason: "The interface shows signals and no percentage, and a sandbox has no classifier.",
  },
  {
    id: "media.images",
    question: "Which images can be scanned?",
    default: facts(
      "PNG, JPEG, WebP, GIF, AVIF, HEIC and BMP up to 200 megapixels.",
      "Above 50 megapixels, or where the pixels cannot be decoded, the metadata decides alone; a damaged picture gets a result.",
    ),
    reason: "These are what phones and browsers make, and a scan looks at what there is.",
  },
  {
    id: "media.videos",
    question: "Which videos can be scanned?",
    default: facts(
      "MP4, MOV, 3GP, WebM, Matroska and AVI files whose container tells a duration; another one is 422 `file_unreadable`.",
      "More than 300 seconds are too long. A file whose index tells a duration is taken even where frames behind it are missing.",
      "`frames` that is no whole number is `validation_error`, one outside 4 to 30 `frames_out_of_range`.",
    ),
    reason: "The limit of five minutes can be held only where a duration can be read.",
  },
  {
    id: "files.store_assets_limit",
    question: "How large may a store-assets upload be?",
    default: "15 MB.",
    reason: "It is the documented limit of the other image tool.",
  },
] as const satisfies readonly Assumption[];
