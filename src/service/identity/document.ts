import { operation } from "../operation.js";
import { DocumentVerification, photo } from "./schemas.js";

export const verifyDocument = operation({
  id: "verifyDocument",
  route: "POST /v1/verify/document",
  summary: "Read an ID document",
  auth: "key",
  upload: { file: photo("Photo of the ID document") },
  reply: { 200: DocumentVerification },
  refuses: ["document_unreadable", "insufficient_balance"],
  outcomes: {
    read: "the document is read",
    expired: "the document is read and its expiry_date has passed",
    unreadable: "the photo cannot be read, 422 document_unreadable",
  },
  price: "document",
  emits: ["verification.completed"],
  assumptions: ["verification.webhooks", "uploads.limits"],
});
