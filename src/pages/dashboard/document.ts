/** The document of the dashboard with the policy of what it may load, and the files of the build in dist/dashboard/. */
import type { Response } from "express";
import { html } from "../../documents/html.js";
import { listBuiltFiles, readBuiltFile } from "../built-files.js";
import { contentSecurityPolicy } from "../content-security.js";

/** Names hold a hash of the content, so that browsers may keep the files for good. */
const fileName = /^[a-z-]+-[A-Z0-9]+\.(js|css)$/;

export interface DashboardFiles {
  script: string;
  style: string;
}

/** Returns the names of the files of the last build, or null if there are none. */
export async function findDashboardFiles(): Promise<DashboardFiles | null> {
  const names = await listBuiltFiles("dashboard");
  const [script, style] = ["js", "css"].map((type) =>
    names.find((name) => name.startsWith("dashboard-") && fileName.exec(name)?.[1] === type),
  );
  return script && style ? { script, style } : null;
}

/** Reads a file of the dashboard. Returns null for names that it does not have. */
export async function readDashboardFile(name: string): Promise<Buffer | null> {
  if (!fileName.test(name)) return null;
  return readBuiltFile("dashboard", name);
}

/** Allows blob: URLs for the pictures in replies. */
export const dashboardPolicy = contentSecurityPolicy({
  imgSrc: ["'self'", "blob:"],
  connectSrc: ["'self'"],
  requireTrustedTypesFor: ["'script'"],
});

interface DashboardDocument {
  files: DashboardFiles;
  testKey: string;
  /** Contract that the reference opens with. Omitted, the dashboard opens what the address names. */
  reference?: "service" | "control";
}

export function sendDashboard(response: Response, { files, testKey, reference }: DashboardDocument): void {
  const { basePath } = response.req.context;
  const opens = reference ? html` data-reference="${reference}"` : html``;
  const { text } = html`<!doctype html>
<html lang="en" data-base="${basePath}" data-test-key="${testKey}"${opens}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Standin</title>
<link rel="icon" href="${basePath}/mark.svg" type="image/svg+xml">
<link rel="stylesheet" href="${basePath}/theme.css">
<link rel="stylesheet" href="${basePath}/dashboard/${files.style}">
<script type="module" src="${basePath}/dashboard/${files.script}"></script>
</head>
<body>
<div id="app"></div>
<noscript><p>The dashboard and the API reference need JavaScript. The <a href="${basePath}/start">start page</a>, the
<a href="${basePath}/docs/values">test values</a>, the <a href="${basePath}/docs/assumptions">assumptions</a> and
<a href="${basePath}/llms.txt">llms.txt</a>, which lists every operation, do not.</p></noscript>
</body>
</html>
`;
  // Revalidated each time: the next build has other file names.
  response.set("Cache-Control", "no-cache").type("html").send(text);
}
