/** A badge for a README: how much of the sandbox is confirmed by the service. */

const label = "confirmed by the service";
/** Widths of the two parts, for text of 11 px. */
const labelWidth = 148;
const valueWidth = 44;
const width = labelWidth + valueWidth;

const colorOf = (percent: number): string =>
  percent >= 80 ? "#0a7d4f" : percent >= 50 ? "#8a6100" : "#b3261e";

/** Returns an SVG of 20 px height that needs nothing from elsewhere. */
export const formatBadge = (percent: number): string => {
  const value = `${Math.floor(percent)}%`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="${label}: ${value}">
<title>${label}: ${value}</title>
<rect width="${width}" height="20" rx="3" fill="#444b54"/>
<path d="M${labelWidth} 0h${valueWidth - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-${valueWidth - 3}z" fill="${colorOf(percent)}"/>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">
<text x="${labelWidth / 2}" y="14">${label}</text>
<text x="${labelWidth + valueWidth / 2}" y="14">${value}</text>
</g>
</svg>
`;
};
