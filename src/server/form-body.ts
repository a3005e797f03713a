/** Reads multipart forms with multer, which is loaded with the first upload. */
import type { RequestHandler } from "express";
import type { Upload } from "../contract/upload.js";

/** Creates the middleware that reads a form's fields into `request.body`, and its files into the request's context. */
export const readForm =
  (upload: Upload): RequestHandler =>
  async (request, response, next) => {
    const { receiveForm } = await import("./upload.js");
    const { fields, files } = await receiveForm(request, response, upload);
    request.body = fields;
    request.context.files = files;
    next();
  };
