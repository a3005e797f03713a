/** What reads forms and knows files by their bytes, loaded when the first upload comes. */
export { fileTypeFromBuffer } from "file-type";
export { default as multer } from "multer";
