/** What Gradio passes to the script of an HTML component. */
export interface Component {
  element: HTMLElement;
  /** The properties of the component; `value` goes to and from Python. */
  props: Record<string, any>;
  /** The Python functions that the component offers; each returns `{wrong: sentence}` on a fault. */
  server: Record<string, (request?: unknown) => Promise<any>>;
  /** Fires an event that Python listens to. */
  trigger: (event: string, data?: unknown) => void;
  /** Calls the listener whenever Python has changed the property. */
  watch: (property: string, listener: () => void) => void;
}

/** A key and its picture, as the event `hallascope:choose` carries them. */
export interface Choice {
  source: HTMLElement;
  run: string;
  /** The picture in the run. */
  key: string;
  /** What is chosen of the picture, such as `question=2`. */
  chosen: string | null;
  /** Whether the address names neither run nor picture. */
  isUnnamed?: boolean;
}

/** A figure of Plotly as it stands on the page. */
export interface PlotlyFigure extends HTMLElement {
  data?: { type: string }[];
  layout?: { meta?: { leastWidth?: number }; font?: object };
  on?: (event: string, listener: (event: any) => void) => void;
}

declare global {
  interface DocumentEventMap {
    "hallascope:choose": CustomEvent<Choice>;
    /** The evidence of an image came, or none is shown any more; `element` is the viewer. */
    "hallascope:evidence": CustomEvent<{
      element: HTMLElement;
      run: string | null;
      key: string | null;
    }>;
    "hallascope:layers": CustomEvent<string[]>;
    /** The address is another one after Back or Forward. */
    "hallascope:return": Event;
    /** The images of another run are shown, or none any more. */
    "hallascope:run": Event;
    /** The judged images that the Errors tab is to show, as conditions in their written form. */
    "hallascope:conditions": CustomEvent<string>;
    "hallascope:bar": CustomEvent<{ model: string; group: string }>;
    /** The Leaderboard tab shows another board. */
    "hallascope:board": Event;
    /** The page is open, and the run of its address is known. */
    "hallascope:opened": Event;
  }
  interface Window {
    /** Gradio puts it there with the first figure. */
    Plotly?: { downloadImage: (figure: object, options: object) => Promise<string> };
  }
}
