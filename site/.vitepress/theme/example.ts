import { withBase } from "vitepress";
import { defineComponent, h, onBeforeUnmount, onMounted, ref } from "vue";

/** An example that runs in a frame of its own while it is in view; a picture takes its place until it is drawn. */
export const LiveExample = defineComponent({
  props: {
    /** name of its file in site/examples, without the ending */
    name: { type: String, required: true },
    /** said by screen readers in place of the picture */
    label: { type: String, required: true },
    /** whether links to the code are left out */
    bare: Boolean,
    /** whether there is another picture for narrow pages, NAME-narrow.jpg */
    narrow: Boolean,
    /** whether a moving picture, NAME.webp, takes the place of an example that cannot run */
    moving: Boolean,
  },
  setup(props) {
    const box = ref<HTMLElement>();
    const frame = ref<HTMLIFrameElement>();
    const isInView = ref(false);
    const isWanted = ref(false);
    const state = ref<"waiting" | "drawn" | "failed">("waiting");
    const copied = ref(false);
    let observer: IntersectionObserver | undefined;

    const listen = ({ source, data }: MessageEvent<{ example?: "drawn" | "failed" }>): void => {
      if (data?.example && source === frame.value?.contentWindow) state.value = data.example;
    };
    onMounted(() => {
      // Someone who wants less motion starts examples by hand.
      isWanted.value = !matchMedia("(prefers-reduced-motion: reduce)").matches;
      addEventListener("message", listen);
      observer = new IntersectionObserver(([entry]) => {
        isInView.value = entry.isIntersecting;
        if (!entry.isIntersecting) state.value = "waiting";
      });
      observer.observe(box.value!);
    });
    onBeforeUnmount(() => {
      observer?.disconnect();
      removeEventListener("message", listen);
    });

    const copy = async (): Promise<void> => {
      const response = await fetch(withBase(`/examples/${props.name}.txt`));
      await navigator.clipboard.writeText(await response.text());
      copied.value = true;
      setTimeout(() => (copied.value = false), 2000);
    };

    return () => {
      const isFilm = props.moving && state.value === "failed";
      const runs = isInView.value && isWanted.value && state.value !== "failed";
      const image = h("img", {
        src: withBase(`/pictures/${props.name}.${isFilm ? "webp" : "jpg"}`),
        alt: props.label,
        class: { isHidden: state.value === "drawn" },
        width: 640,
        height: 400,
      });
      const narrow = h("source", {
        media: "(max-width: 800px)",
        srcset: withBase(`/pictures/${props.name}-narrow.jpg`),
      });
      const picture = props.narrow && !isFilm ? h("picture", [narrow, image]) : image;
      const live = h("iframe", {
        ref: frame,
        src: withBase(`/examples/${props.name}.html`),
        title: props.label,
        allow: "fullscreen",
      });
      const start = h("button", { class: "start", onClick: () => (isWanted.value = true) }, "Run it");
      const failed = h("p", { class: "failed" }, "This browser cannot run the example: it needs WebGL 2 or WebGPU.");
      const view = h("div", { class: "view", ref: box }, [
        runs ? live : undefined,
        picture,
        isWanted.value || isInView.value === false ? undefined : start,
        state.value === "failed" ? failed : undefined,
      ]);
      if (props.bare) return h("figure", { class: "live isBare" }, view);
      const links = h("figcaption", [
        h("a", { href: withBase(`/examples/${props.name}.html`), target: "_blank" }, "Open alone"),
        h("button", { onClick: () => void copy() }, copied.value ? "Copied" : "Copy all in one file"),
      ]);
      return h("figure", { class: "live" }, [view, links]);
    };
  },
});
