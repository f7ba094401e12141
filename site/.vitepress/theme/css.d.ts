// The bundler of the site takes style sheets by import.
declare module "*.css";
