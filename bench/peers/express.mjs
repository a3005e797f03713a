/** A typical Express 5 app: express.json, a router, a key check, Ajv, state in an array. */
import Ajv from "ajv";
import express from "express";
import {
  balance,
  bvnVerification,
  phoneStartSchema,
  printReady,
  verification,
  verifyBvnSchema,
} from "./answers.mjs";

const ajv = new Ajv();
const validate = ajv.compile(phoneStartSchema);
const validateBvn = ajv.compile(verifyBvnSchema);
const verifications = [];

const router = express.Router();
router.use((request, response, next) => {
  if (!request.get("X-Service-Key")) return response.status(401).json({ error: "missing key" });
  next();
});
router.get("/balance", (_request, response) => response.json(balance));
router.post("/phone/verify/start", (request, response) => {
  if (!validate(request.body)) return response.status(400).json({ error: validate.errors });
  const started = verification(verifications.length, request.body.phone);
  verifications.push(started);
  response.status(201).json(started);
});
router.post("/verify/bvn", (request, response) => {
  if (!validateBvn(request.body)) return response.status(400).json({ error: validateBvn.errors });
  const checked = bvnVerification(verifications.length, request.body.bvn);
  verifications.push(checked);
  response.json(checked);
});

const app = express();
app.use(express.json());
app.use("/v1", router);
const server = app.listen(0, "127.0.0.1", () => printReady(server));
