/** Texts by people and by language models, each longer than 800 characters. */

/** Essay by a person. */
export const essay = `My grandmother kept goats. Not many: three, sometimes four, depending on how the rains had been and which cousin was getting married that year. I hated them. They ate my school sandals once, both of them, straps and all, and she laughed until she had to sit down on the step with her hand pressed against her ribs while I stood barefoot in the dust, furious and nine years old. Years later, in a cramped flat above a noisy tyre shop in Ibadan, I told that story to a man who would become my husband. He did not laugh. Instead he asked what the sandals had looked like, whether they were brown or black, if the buckle had been brass. Who asks such things? Somebody who listens, I thought. We married in March. When she died the following August, he drove nine hours through floods near Lokoja so we could bury her properly, then bought two goats from a neighbour and tied them, without saying anything, under the mango tree behind her empty house.`;

/** Typical text of a language model. */
export const stock = Array.from(
  { length: 6 },
  (_, at) =>
    `In today's fast-paced world, it is important to note that planning plays a crucial role in project ${at}. Furthermore, teams leverage a comprehensive guide to unlock the potential of their work. Moreover, good tools are a testament to the ever-evolving nature of this industry today.`,
).join(" ");

/** Text without signals: ordinary words, and sentences that are neither uniform nor varied. */
export const report = `The committee met on Tuesday to discuss the new road. Members heard that the contractor had finished the drains near the market. The chairman asked for a list of the houses that must be moved. The secretary said that the list would be ready before the end of the month. Some members were worried about the cost of the bridge. The engineer explained that the price of cement had gone up since the plan was made, and that the steel had to come from Lagos. The treasurer read the figures to the meeting. The committee agreed to write to the ministry about the delay and to ask for a second payment. A visit to the site was planned for the first week of June. The women of the market asked for a place to sell their goods while the work goes on, and the chairman promised to find one near the school. The meeting ended with a prayer at four.`;

/** Yorùbá text with tone marks. */
export const yoruba = Array.from(
  { length: 3 },
  () =>
    "Ọ̀rọ̀ ni ó máa ń bọ́ kí a tó gbọ́. Bàbá mi jẹ́ àgbẹ̀ ní abúlé kékeré kan lẹ́bàá Ìbàdàn, ó sì máa ń jí ní kùtùkùtù òwúrọ̀ láti lọ sí oko rẹ̀ pẹ̀lú ajá rẹ̀. Ṣé ẹ mọ̀ ọ́n? Ní ọjọ́ kan, òjò ńlá rọ̀ débi pé odò kún, a kò sì lè kọjá lọ sí ọjà láti ta iṣu àti àgbàdo wa. Màmá mi rẹ́rìn-ín. Ó ní ẹni tí ó bá ní sùúrù yóò jẹ ẹran.",
).join(" ");

/** Returns the first `count` code points. */
export const first = (count: number, text: string): string => [...text].slice(0, count).join("");
