/** Reads multipart forms with multer, which is loaded with the first upload. */
import type { RequestHandler } from "express";
import type { Upload } from "../contract/upload.js";

/**
 * Creates the middleware that reads a form's fields into `request.body`, and its files into the request's context.
 * `megabyte` is the number of bytes in a MB of its limits.
 */
export const readForm =
  (upload: Upload, megabyte: number): RequestHandler =>
  async (request, response, next) => {
    const { receiveForm } = await import("./upload.js");
    const { fields, files } = await receiveForm(request, response, upload, megabyte);
    request.body = fields;
    request.context.files = files;
    next();
  };
