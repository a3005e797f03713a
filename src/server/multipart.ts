/**
 * Libraries that read forms and recognise files by their bytes. They are loaded with the first upload, because the build makes
 * a separate part of a file that imports packages alone.
 */
export { fileTypeFromBuffer } from "file-type";
// Two readers only: image-size's main entry would try every format that it knows on any upload.
export { PNG } from "image-size/types/png";
export { WEBP } from "image-size/types/webp";
export { default as multer } from "multer";
