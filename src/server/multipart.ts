/** What reads forms and knows files by their bytes, loaded when the first upload comes. */
export { fileTypeFromBuffer } from "file-type";
// The two readers alone: image-size's front door tries every format it knows on whatever comes.
export { PNG } from "image-size/types/png";
export { WEBP } from "image-size/types/webp";
export { default as multer } from "multer";
