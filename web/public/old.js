// Runs after the page itself: where that could not even be read, this browser is too old for it, and is told so.
(function () {
  var boot = document.getElementById("boot");
  var word = document.getElementById("too-old");
  if (boot && word) word.hidden = false;
})();
