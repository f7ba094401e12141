import type { Theme } from "vitepress";
import DefaultTheme from "vitepress/theme";
import { LiveExample } from "./example";
import "./colors.css";
import "./pages.css";
import "./home.css";

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component("LiveExample", LiveExample);
  },
} satisfies Theme;
