// Clicking a column's head sorts its table: by number where a cell has one, else by text in which
// numbers count by value. A second click turns the order round.
"use strict";

function keyOf(cell) {
	return cell.dataset.v === undefined ? cell.textContent : Number(cell.dataset.v);
}

function compareKeys(a, b) {
	if (typeof a === "number" && typeof b === "number")
		return a - b;
	return String(a).localeCompare(String(b), "en", { numeric: true });
}

function sortBy(head) {
	const column = head.cellIndex, body = head.closest("table").tBodies[0];
	const down = head.getAttribute("aria-sort") === "ascending";
	const rows = Array.from(body.rows);

	rows.sort((a, b) => {
		const order = compareKeys(keyOf(a.cells[column]), keyOf(b.cells[column]));
		return down ? -order : order;
	});
	for (const other of head.parentNode.cells)
		other.removeAttribute("aria-sort");
	head.setAttribute("aria-sort", down ? "descending" : "ascending");
	body.append(...rows);
}

document.addEventListener("click", (event) => {
	const head = event.target.closest("table.sorts thead th");

	if (head)
		sortBy(head);
});
