// @ts-check
// What the plots of the benchmarks have in common: SVG for light and dark backgrounds.
import { LineChart, ScatterChart } from 'echarts/charts';
import { GridComponent, LegendComponent, MarkLineComponent } from 'echarts/components';
import * as echarts from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';

echarts.use([LineChart, ScatterChart, GridComponent, LegendComponent, MarkLineComponent, SVGRenderer]);

export const grey = '#808080';

/** How axes look. */
export const axisStyle = {
  nameLocation: /** @type {const} */ ('middle'),
  nameTextStyle: { color: grey },
  axisLabel: { color: grey },
  axisLine: { lineStyle: { color: grey } },
  splitLine: { lineStyle: { color: grey, opacity: 0.25 } },
};

export const legendStyle = { top: 0, itemGap: 36, textStyle: { color: grey } };

/** @param {{ width: number, height: number }} size in pixels */
export function drawn(size, /** @type {import('echarts/core').EChartsCoreOption} */ option) {
  const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, ...size });
  chart.setOption({ animation: false, textStyle: { fontFamily: 'sans-serif' }, ...option });
  const svg = chart.renderToSVGString();
  chart.dispose();
  return svg;
}
