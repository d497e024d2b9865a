// How a program in TypeScript reads answers by the types that openapi-typescript makes of the contract.
import type { components, paths } from "./contract";

type Schemas = components["schemas"];

export const reason = (ruling: Schemas["Ruling"]): string => {
  const [finding] = ruling.findings;
  return finding ? `${finding.rule}.${finding.code}: ${finding.text} ${String(finding.facts.n)}` : ruling.ruling;
};

export const pieces = (position: Schemas["Position"]): number => {
  if (position.game !== "villefranche" || !("placement" in position)) return 0;
  return Object.values(position.cells).length + position.placement;
};

export const line = (entry: Schemas["Entry"]): string => {
  if (entry.type === "rewound" && "to" in entry) return `back to ${entry.to}`;
  return `${entry.version} ${entry.type} ${entry.at}`;
};

export const kind = (move: Schemas["MoveObject"]): string => move.kind;

export const move: paths["/api/v1/tables/{id}/moves"]["post"]["requestBody"]["content"]["application/json"] = {
  moves: ["r a2+a3", { kind: "house", cell: "c4" }]
};
