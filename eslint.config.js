import js from "@eslint/js";
import globals from "globals";

export default [
  // links to the rooms, what is made from the modules, and the site of the documentation
  { ignores: ["hallascope/", ".venv/", "build/"] },
  js.configs.recommended,
  { files: ["tests/**/*.js"], languageOptions: { globals: { axe: "readonly" } } },
  {
    files: ["components/**/*.js", "pages/**/*.js", "tests/**/*.js"],
    languageOptions: { globals: globals.browser },
    rules: {
      eqeqeq: "error",
      "no-nested-ternary": "error",
      "no-var": "error",
      "prefer-const": "error",
    },
  },
];
